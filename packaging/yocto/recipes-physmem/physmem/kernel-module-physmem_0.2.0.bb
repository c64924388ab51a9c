# SPDX-License-Identifier: MIT
SUMMARY = "Kernel modules of physmem: snapshots, page faults, swapping"
LICENSE = "GPL-2.0-only"
require physmem.inc
LIC_FILES_CHKSUM = "${LICENSE_GPL}"

inherit module

# module.bbclass passes the compiler. Its KERNEL_SRC is the source of the kernel, which lacks
# Module.symvers if it was built elsewhere.
EXTRA_OEMAKE += "-C ${S}/collector-kmod BUILD=${B} KERNEL_SRC=${STAGING_KERNEL_BUILDDIR}"
MAKE_TARGETS = "modules"
MODULES_INSTALL_TARGET = "install"
MODULES_MODULE_SYMVERS_LOCATION = "src"

# To load one at boot: KERNEL_MODULE_AUTOLOAD += "physmem_info"
