#!/usr/bin/env perl
# Shows what matters of swift test's output: how far it is, and each failure with its details. All of it goes to a log.
# Usage: progress.pl LOG [EXPECTED [SECONDS]]: so many tests are expected (0: not known); where standard output is no
# terminal, progress is a line every so many seconds (15).
use strict;
use warnings;
use Time::HiRes qw(time);

my ($path, $expected, $interval) = @ARGV;
$expected //= 0;
$interval //= 15;
my $in_place = -t STDOUT;
my ($done, $failed, $skipped, $shows, $is_shown) = (0, 0, 0, 0, 0);
my ($start, $last) = (time, time);
open my $log, '>', $path or die "progress.pl: $path: $!\n";
$log->autoflush(1);
STDOUT->autoflush(1);

sub progress {
  my $of = $expected >= $done && $expected > 0 ? " of about $expected" : '';
  my $text = sprintf '%d%s tests, %d failed, %d s', $done, $of, $failed, time - $start;
  $text .= ", $skipped skipped" if $skipped;
  print $in_place ? "\r\e[K$text" : "$text\n";
  ($is_shown, $last) = ($in_place, time);
}

# A failure's lines, above the line of progress.
sub show {
  print "\r\e[K" if $is_shown;
  $is_shown = 0;
  print "$_[0]\n";
}

sub take {
  my ($line) = @_;
  # Swift Testing begins each message with a sign; what follows a failure without one belongs to it.
  if ($line =~ /^(?:◇|✔|✘|➜|⚠|Test (?:Suite|Case) )/) {
    # The closing line is the caller's, who shows it last; a suite that failed has shown its tests.
    $shows = $line =~ /^✘ (?!Test run with|Suite )/;
    my $fails = $shows && $line =~ / failed after / || $line =~ /^Test Case .* failed \(/;
    $done++ if $fails || $line =~ /^✔ Test (?!run with)|^Test Case .* passed \(/;
    $failed++ if $fails;
    $skipped++ if $line =~ /^➜ Test (?!case )/;
  } elsif ($line =~ /: error: |^error: |Fatal error|^\*\*\* |ERROR: \w+Sanitizer/) {
    $shows = 1;
  } elsif ($line =~ /^xkbcommon: /) {
    # Thousands of lines of a library that is fed with nonsense: between a failure and its details, too.
    return;
  }
  show($line) if $shows;
}

my $rest = '';
while (1) {
  my $wait = '';
  vec($wait, fileno(STDIN), 1) = 1;
  if (select($wait, undef, undef, 0.5) > 0) {
    my $count = sysread STDIN, my $bytes, 1 << 16;
    last unless $count;
    print $log $bytes;
    $rest .= $bytes;
    while ($rest =~ s/^([^\n]*)\n//) { take($1) }
  }
  progress() if time - $last >= ($in_place ? 0.2 : $interval);
}
if ($rest ne '') { take($rest) }
progress();
print "\n" if $in_place;
