#!/usr/bin/env perl
# wlcs.pl FOLDER REASONS PAGE: counts what FOLDER/stage.log and FOLDER/mir.log say, prints the stage's counts for each suite, and writes
# PAGE. Each failed case needs a reason in REASONS (a pattern, a tab, a sentence), and no case that passes may have one.
use v5.30;
use warnings;

my ($folder, $reasons_path, $page) = @ARGV;

# The cases of a log: name => passed, failed or skipped; the reasons of skipped ones; and how often the compositor crashed.
sub cases {
  my $path = shift;
  my (%cases, %skips, $crashes, $note);
  open my $in, '<', $path or die "$path: $!\n";
  while (<$in>) {
    $note = $1 if /^\[          \] (.*)/;
    $crashes++ if /^\[ CRASHED  \]/;
    last if /^\[==========\] .* ran|^\[==========\] .* run\./;
    my ($word, $name) = /^\[ +(OK|FAILED|SKIP) +\] ([^\s,]+)(?:, .*)? \(\d+ ?ms\)$/ or next;
    $cases{$name} = { OK => 'passed', FAILED => 'failed', SKIP => 'skipped' }->{$word};
    $skips{$name} = $note =~ s/^Missing extension: //r if $word eq 'SKIP' && defined $note;
    undef $note if $word eq 'SKIP';
  }
  die "$path: no case ran\n" unless %cases;
  return (\%cases, \%skips, $crashes // 0);
}

my ($ours, $skips, $crashes) = cases("$folder/stage.log");
my ($mir) = cases("$folder/mir.log");

my @reasons;
open my $in, '<', $reasons_path or die "$reasons_path: $!\n";
while (<$in>) {
  next if /^#|^\s*$/;
  chomp;
  my ($pattern, $reason) = split /\t/;
  my $regex = join '.*', map { quotemeta } split /\*/, $pattern, -1;
  push @reasons, { pattern => $pattern, regex => qr/^$regex$/, reason => $reason, used => 0 };
}

my (%suites, %total, %explained, @problems);
for my $name (sort keys %$ours) {
  my ($suite) = $name =~ /^(.*)\.[^.]+$/;
  my $outcome = $ours->{$name};
  $suites{$suite}{$outcome}++;
  $suites{$suite}{"mir $mir->{$name}"}++ if $mir->{$name};
  $total{$outcome}++;
  $total{"mir $mir->{$name}"}++ if $mir->{$name};
  my ($known) = grep { $name =~ $_->{regex} } @reasons;
  $known->{used}++ if $known;
  if ($outcome eq 'failed') {
    push @problems, "$name failed, and $reasons_path has no reason" unless $known;
    $explained{$name} = $known ? $known->{reason} : 'unexplained';
  } elsif ($known && $outcome eq 'passed') {
    push @problems, "$name passed, but $reasons_path explains why it fails";
  }
}
push @problems, "$reasons_path: no case is called $_->{pattern}" for grep { !$_->{used} } @reasons;
push @problems, "the stage crashed in $crashes cases" if $crashes;

my $width = (sort { $b <=> $a } map { length } keys %suites)[0];
sub count { my ($suite, $key) = @_; $suites{$suite}{$key} // 0 }
printf "%-*s %6s %6s %7s\n", $width, 'suite', 'passed', 'failed', 'skipped';
printf "%-*s %6d %6d %7d\n", $width, $_, count($_, 'passed'), count($_, 'failed'), count($_, 'skipped') for sort keys %suites;
say "$_: $explained{$_}" for sort keys %explained;

open my $out, '>', $page or die "$page: $!\n";
select $out;
my $version = `dpkg-query -W -f '\${Version}' wlcs`;
my $mir_version = `dpkg-query -W -f '\${Version}' mir-wlcs-integration`;
my %missing;
$missing{ $skips->{$_} =~ s/>= 1$//r }++ for grep { !/^SelfTest\./ } keys %$skips;
print <<"END";
# The stage, judged by wlcs

`./dev wlcs` writes this page. wlcs is a suite of test cases for compositors; its version here is
Debian's $version. It loads `Tests/wlcs/module.c`, which passes its calls on to `stage --wlcs`: the
[stage](architecture/tests.md) with a desktop, in real time. Mir $mir_version, the compositor that wlcs was
written for, runs the same cases on the same machine.

| | passed | failed | skipped |
|---|---|---|---|
| stage | $total{passed} | @{[$total{failed} // 0]} | @{[$total{skipped} // 0]} |
| Mir | $total{'mir passed'} | @{[$total{'mir failed'} // 0]} | @{[$total{'mir skipped'} // 0]} |

wlcs skips four cases of its own, and those of protocols that a compositor does not have. The stage leaves out these, all of which
newer protocols have replaced:

END
print "- `$_`: $missing{$_} cases\n" for sort keys %missing;
print "\n## Suites\n\n| suite | passed | failed | skipped | Mir: passed | failed | skipped |\n|---|---|---|---|---|---|---|\n";
for my $suite (sort keys %suites) {
  say "| $suite | ", join(' | ', map { count($suite, $_) } 'passed', 'failed', 'skipped', 'mir passed', 'mir failed', 'mir skipped'), ' |';
}
print "\n## Cases that fail\n\n| case | Mir | reason |\n|---|---|---|\n";
say "| `$_` | @{[$mir->{$_} // 'not run']} | $explained{$_} |" for sort keys %explained;
my @better = grep { $ours->{$_} eq 'passed' && ($mir->{$_} // '') eq 'failed' } sort keys %$ours;
print "\n## Cases that pass here and fail with Mir\n\n";
say "- `$_`" for @better;
select STDOUT;

say "problem: $_" for @problems;
printf "%d passed, %d failed, %d skipped\n", $total{passed}, $total{failed} // 0, $total{skipped} // 0;
exit(@problems ? 1 : 0);
