// SPDX-License-Identifier: MIT
#include "analyzer/report/surface.h"

#include <cairo-pdf.h>
#include <cairo-ps.h>

#include <cmath>
#include <ostream>

#include "program/printable.h"

namespace physmem {
namespace {

/// Two pixels per point: sharp on current screens, and readable at half the size.
constexpr double kPngScale = 2;

cairo_status_t write_to_stream(void* stream, const unsigned char* data, unsigned int size) {
  auto& out = *static_cast<std::ostream*>(stream);
  try {
    out.write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
  } catch (const std::ios_base::failure&) {
    return CAIRO_STATUS_WRITE_ERROR;  // exceptions must not pass through cairo, which is C
  }
  return out ? CAIRO_STATUS_SUCCESS : CAIRO_STATUS_WRITE_ERROR;
}

cairo_surface_t* create(std::ostream& out, PictureFormat format, double width, double height) {
  switch (format) {
    case PictureFormat::kPs:
      return cairo_ps_surface_create_for_stream(write_to_stream, &out, width, height);
    case PictureFormat::kPdf:
      return cairo_pdf_surface_create_for_stream(write_to_stream, &out, width, height);
    case PictureFormat::kSvg:
    case PictureFormat::kPng:
      break;
  }
  return cairo_image_surface_create(CAIRO_FORMAT_RGB24,
                                    static_cast<int>(std::ceil(width * kPngScale)),
                                    static_cast<int>(std::ceil(height * kPngScale)));
}

/// A comment line of PostScript: at most 255 bytes, ASCII.
std::string dsc_title(const std::string& title) {
  std::string comment = "%%Title: ";
  for (const char c : for_terminal(title).substr(0, 200)) comment += c >= ' ' && c <= '~' ? c : '?';
  return comment;
}

}  // namespace

bool has_pages(PictureFormat format) {
  return format == PictureFormat::kPs || format == PictureFormat::kPdf;
}

Surface::Surface(std::ostream& out, PictureFormat format, double width, double height,
                 const std::string& title)
    : out_(out), format_(format) {
  if (format == PictureFormat::kSvg) {
    svg_.emplace(width, height, title);
    return;
  }
  surface_.reset(create(out, format, width, height));
  if (format == PictureFormat::kPs)
    cairo_ps_surface_dsc_comment(surface_.get(), dsc_title(title).c_str());
  if (format == PictureFormat::kPdf) {
    cairo_pdf_surface_set_metadata(surface_.get(), CAIRO_PDF_METADATA_TITLE,
                                   for_picture(title).c_str());
    // No date: the same snapshot gives the same bytes.
    cairo_pdf_surface_set_metadata(surface_.get(), CAIRO_PDF_METADATA_CREATE_DATE, "");
  }
  cairo_.emplace(surface_.get());
  if (format == PictureFormat::kPng) cairo_->scale(kPngScale);
}

Canvas& Surface::canvas() {
  if (svg_) return *svg_;
  return *cairo_;
}

std::string Surface::finish() {
  std::string problem = canvas().error();
  if (problem.empty() && svg_)
    out_ << svg_->finish();
  else if (problem.empty())
    problem = finish_cairo();
  if (!out_.flush()) return "";
  return problem.empty() ? "" : "cannot draw the picture: " + problem;
}

std::string Surface::finish_cairo() {
  cairo_.reset();
  cairo_status_t status = CAIRO_STATUS_SUCCESS;
  if (format_ == PictureFormat::kPng)
    status = cairo_surface_write_to_png_stream(surface_.get(), write_to_stream, &out_);
  cairo_surface_finish(surface_.get());
  if (status == CAIRO_STATUS_SUCCESS) status = cairo_surface_status(surface_.get());
  return status == CAIRO_STATUS_SUCCESS ? "" : cairo_status_to_string(status);
}

}  // namespace physmem
