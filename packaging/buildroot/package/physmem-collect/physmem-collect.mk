# SPDX-License-Identifier: MIT
################################################################################
#
# physmem-collect
#
################################################################################

PHYSMEM_COLLECT_VERSION = 0.2.0
# The source tree that has this external tree.
PHYSMEM_COLLECT_SITE = $(BR2_EXTERNAL_PHYSMEM_PATH)/../..
PHYSMEM_COLLECT_SITE_METHOD = local
PHYSMEM_COLLECT_OVERRIDE_SRCDIR_RSYNC_EXCLUSIONS = --exclude /build
PHYSMEM_COLLECT_LICENSE = MIT, GPL-2.0-only or MIT (formats/emit)
PHYSMEM_COLLECT_LICENSE_FILES = LICENSES/MIT.txt LICENSES/GPL-2.0-only.txt
PHYSMEM_COLLECT_DEPENDENCIES = host-pkgconf
PHYSMEM_COLLECT_CONF_OPTS = -DPHYSMEM_COLLECTOR_ONLY=ON

ifeq ($(BR2_PACKAGE_ZSTD),y)
PHYSMEM_COLLECT_DEPENDENCIES += zstd
endif

ifeq ($(BR2_STATIC_LIBS),y)
PHYSMEM_COLLECT_CONF_OPTS += -DPHYSMEM_STATIC=ON
endif

# The unit of the timer, its user and its folder.
ifeq ($(BR2_INIT_SYSTEMD),y)
PHYSMEM_COLLECT_CONF_OPTS += -DPHYSMEM_SYSTEM=ON
define PHYSMEM_COLLECT_USERS
	physmem -1 physmem -1 * /var/spool/physmem - - Snapshots of physical memory
endef
else
PHYSMEM_COLLECT_CONF_OPTS += -DPHYSMEM_SYSTEM=OFF
endif

$(eval $(cmake-package))
