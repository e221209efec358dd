#!/usr/bin/env perl
# Reads what libwayland prints for WAYLAND_DEBUG, and writes it in words: milliseconds since the first message, an arrow for the direction, and at each
# commit the time since the last one on the same surface. Other lines pass through as they are.
use v5.30;
use warnings;
use open qw(:std :encoding(UTF-8));
STDOUT->autoflush(1);

my ($start, %commits);
while (<STDIN>) {
  # "[1234567.890] {queue}  -> wl_surface@3.commit()"; the queue is new in later versions of libwayland.
  unless (/^\[\s*(\d+)\.(\d+)\]\s*(?:\{[^}]*\}\s*)?(-> )?(discarded )?(\S+?)[@#](\d+)\.(.*)$/) { print; next }
  my ($time, $sent, $dropped, $interface, $id, $message) = ("$1.$2", $3, $4, $5, $6, $7);
  $start //= $time;
  # "nil" and "new id wl_buffer@12" as protocols call them.
  $message =~ s/new id \[unknown\]@/new @/g;
  $message =~ s/new id /new /g;
  $message =~ s/#(\d)/@$1/g;
  printf "%10.3f ms %s %s@%s.%s%s", $time - $start, $sent ? '->' : '<-', $interface, $id, $message, $dropped ? '   (of an object that has ended)' : '';
  if ($interface eq 'wl_surface' && $message =~ /^commit\(/) {
    printf '   frame after %.3f ms', $time - $commits{$id} if exists $commits{$id};
    $commits{$id} = $time;
  }
  print "\n";
}
