// SPDX-License-Identifier: MIT
// What of Boost.Asio and Boost.Beast is no template, compiled once instead of in each file that
// uses them (their own way to do so).
#include <boost/asio/impl/src.hpp>
#include <boost/beast/src.hpp>
