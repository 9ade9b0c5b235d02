# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# gpuprim_add_output_test(<test> <page> <command> [argument...]): the command prints what the page shows in the block
# behind the line `<!-- output of <test> -->`. Three dots in it stand for any part of a line. A line that begins with
# `$` shows the command.
function(gpuprim_add_output_test test page)
  get_filename_component(page "${page}" ABSOLUTE BASE_DIR "${PROJECT_SOURCE_DIR}")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${page}")
  file(READ "${page}" text)
  if(NOT text MATCHES "<!-- output of ${test} -->\n```text\n([$][^\n]*\n)?([^`]+)\n```")
    message(FATAL_ERROR "${page} has no output of ${test}")
  endif()
  # A regular expression that matches just that; a semicolon would divide it in two.
  string(REGEX REPLACE "([][+*.()^$?|\\\\])" "\\\\\\1" expected "${CMAKE_MATCH_2}")
  string(REPLACE "\\.\\.\\." "[^\n]*" expected "${expected}")
  string(REPLACE ";" "." expected "${expected}")
  add_test(NAME ${test} COMMAND ${ARGN} COMMAND_EXPAND_LISTS)
  set_tests_properties(${test} PROPERTIES TIMEOUT 300 PASS_REGULAR_EXPRESSION "${expected}")
endfunction()
