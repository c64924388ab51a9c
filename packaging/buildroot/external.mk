# SPDX-License-Identifier: MIT
include $(sort $(wildcard $(BR2_EXTERNAL_PHYSMEM_PATH)/package/*/*.mk))
