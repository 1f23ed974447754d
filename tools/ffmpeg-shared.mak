# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
#
# Appended to the config.mak that FFmpeg's configure writes for shared libraries. These flags are
# not given to configure, because each version of it treats a dollar sign differently.

# Programs find the libraries in the folder lib beside their own, and libraries find each other.
LDEXEFLAGS += -Wl,-rpath,\$$ORIGIN/../lib
# This variable is expanded twice. FIRST is -L and the folder of another libvpx.
LDSOFLAGS += $(FIRST) -Wl,-rpath,\$$$$ORIGIN
