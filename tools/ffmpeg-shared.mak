# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
#
# Goes behind the config.mak that FFmpeg's configure writes for shared libraries; each version's
# configure does something else to a dollar sign.

# Programs find the libraries beside their folder, and these find each other.
LDEXEFLAGS += -Wl,-rpath,\$$ORIGIN/../lib
# Expanded twice. FIRST is the folder of another libvpx.
LDSOFLAGS += $(FIRST) -Wl,-rpath,\$$$$ORIGIN
