// SPDX-License-Identifier: MIT
// Compiles the non-template code of Boost.Asio and Boost.Beast once, instead of in every file that
// includes them, as both libraries recommend.
#include <boost/asio/impl/src.hpp>
#include <boost/beast/src.hpp>
