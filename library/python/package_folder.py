# SPDX-License-Identifier: MIT
"""package_folder.py PREFIX: prints the folder of Python packages below an installation prefix."""
import os
import sys
import sysconfig

prefix = sys.argv[1]
version = f"python{sys.version_info.major}.{sys.version_info.minor}"
is_debian = "deb_system" in sysconfig.get_scheme_names()
if is_debian and os.path.normpath(prefix) == "/usr":
    print("lib/python3/dist-packages")
elif is_debian:
    print(f"lib/{version}/dist-packages")
else:
    folder = sysconfig.get_path("platlib", "posix_prefix", {"base": prefix, "platbase": prefix})
    print(os.path.relpath(folder, prefix))
