# SPDX-License-Identifier: MIT
SUMMARY = "Collector of physmem: where each page of each task is in physical memory"
LICENSE = "MIT & (GPL-2.0-only | MIT)"
require physmem.inc
LIC_FILES_CHKSUM = "${LICENSE_MIT} ${LICENSE_GPL}"

inherit cmake pkgconfig

EXTRA_OECMAKE = "-DPHYSMEM_COLLECTOR_ONLY=ON -DPHYSMEM_SYSTEM_DIR=${nonarch_base_libdir}"

# Without zstd, snapshots can be text and .pmc, but not compressed.
PACKAGECONFIG ??= "zstd ${@bb.utils.filter('DISTRO_FEATURES', 'systemd', d)}"
PACKAGECONFIG[zstd] = ",,zstd"
PACKAGECONFIG[systemd] = "-DPHYSMEM_SYSTEM=ON,-DPHYSMEM_SYSTEM=OFF"
PACKAGECONFIG[static] = "-DPHYSMEM_STATIC=ON,-DPHYSMEM_STATIC=OFF"

inherit_systemd = "${@bb.utils.contains('PACKAGECONFIG', 'systemd', 'systemd useradd', '', d)}"
inherit ${inherit_systemd}

# Not enabled: systemctl enable --now physmem-collect.timer
SYSTEMD_SERVICE:${PN} = "physmem-collect.timer physmem-collect.service \
    physmem-collect-for-spool.service"
SYSTEMD_AUTO_ENABLE = "disable"
USERADD_PACKAGES = "${PN}"
USERADD_PARAM:${PN} = "--system --no-create-home --home-dir /var/spool/physmem \
    --user-group --shell /sbin/nologin physmem"
CONFFILES:${PN} = "${sysconfdir}/default/physmem-collect"
FILES:${PN} += "${nonarch_libdir}/sysusers.d ${nonarch_libdir}/tmpfiles.d \
    ${systemd_system_unitdir}"
