# SPDX-License-Identifier: MIT
################################################################################
#
# physmem-module
#
################################################################################

PHYSMEM_MODULE_VERSION = 0.2.0
PHYSMEM_MODULE_SITE = $(BR2_EXTERNAL_PHYSMEM_PATH)/../..
PHYSMEM_MODULE_SITE_METHOD = local
PHYSMEM_MODULE_OVERRIDE_SRCDIR_RSYNC_EXCLUSIONS = --exclude /build
PHYSMEM_MODULE_LICENSE = GPL-2.0-only
PHYSMEM_MODULE_LICENSE_FILES = LICENSES/GPL-2.0-only.txt
PHYSMEM_MODULE_DEPENDENCIES = linux

define PHYSMEM_MODULE_LINUX_CONFIG_FIXUPS
	$(call KCONFIG_ENABLE_OPT,CONFIG_MODULES)
	$(call KCONFIG_DISABLE_OPT,CONFIG_TRIM_UNUSED_KSYMS)
endef

# Not by kernel-module: the Makefile probes the kernel first.
define PHYSMEM_MODULE_BUILD_CMDS
	$(TARGET_MAKE_ENV) $(MAKE) -C $(@D)/collector-kmod $(LINUX_MAKE_FLAGS) \
		KERNEL_SRC=$(LINUX_DIR) BUILD=$(@D)/module modules
endef

define PHYSMEM_MODULE_INSTALL_TARGET_CMDS
	$(TARGET_MAKE_ENV) $(MAKE) -C $(@D)/collector-kmod $(LINUX_MAKE_FLAGS) \
		KERNEL_SRC=$(LINUX_DIR) BUILD=$(@D)/module install
endef

$(eval $(generic-package))
