#!/usr/bin/perl
# requirements.pl EVENTS PAGE ROOT
#
# Which lines of PAGE ("- **G1** ...", or "1. ..." for behaviours) are the subject of a test that counts. A test's subjects are the ids that its
# name begins with: "G1: ...", "O15, O16: ...", "G14 to G16, G-D11: ...", "behaviours 8 and 11: ...". It counts when, by EVENTS, Swift Testing's JSON lines,
#   - it ran to its end, with at least one case where it has arguments, and no case was skipped,
#   - it passed, without any issue, also a known one,
# and when, by its source, which the events name, its body expects something: itself, or by a function that does and is named for
# it: changes, keeps, expect..., verify..., check.... The events do not tell expectations that hold.
#
# Only what perl-base has is used: the lines are read by patterns, which the fixed order of their members allows.
use strict;
use warnings;

my ($events, $page, $root) = @ARGV;
die "usage: requirements.pl EVENTS PAGE ROOT\n" unless defined $root;

# --- The page

my @ids;
open my $lines, '<', $page or die "$page: $!\n";
while (<$lines>) { push @ids, defined $1 ? $1 : "behaviour $2" if /^(?:- \*\*([GROLK](?:-D)?[0-9]+)\*\*|([0-9]+)\. )/ }
close $lines;
my %is_id = map { $_ => 1 } @ids;
die "$page: no requirements\n" unless @ids;

# The ids that a name begins with.
sub subjects {
  my ($head) = $_[0] =~ /^([^:]*):/ or return;
  return map { "behaviour $_" } $head =~ /[0-9]+/g if $head =~ /^behaviours? [0-9]+(?:(?:, | and )[0-9]+)*$/;
  my @found;
  for my $part (split /\s*,\s*/, $head) {
    $part =~ /^([GROLK](?:-D)?)([0-9]+)(?: to ([GROLK](?:-D)?)([0-9]+))?$/ or return;
    return if defined $3 && $3 ne $1;
    push @found, map { "$1$_" } $2 .. ($4 // $2);
  }
  return @found;
}

# --- The run

sub text {
  my ($json) = @_;
  $json =~ s/\\u([0-9a-fA-F]{4})/chr(hex $1)/ge;
  $json =~ s/\\(["\\\/])/$1/g;
  return $json;
}

my $string = qr/"((?:[^"\\]|\\.)*)"/;
my (%test, $is_over);
open my $stream, '<', $events or die "$events: $!\n";
while (my $line = <$stream>) {
  if ($line =~ /^\{"kind":"test",.*"kind":"function"/) {
    my ($id) = $line =~ /"id":$string,"isParameterized"/ or next;
    my ($name) = $line =~ /.*"displayName":$string,"id"/;
    ($name) = $line =~ /.*"name":$string,"sourceLocation"/ unless defined $name;
    my ($file, $row) = $line =~ /"_filePath":$string,.*"line":([0-9]+)/;
    $test{$id} = {name => text($name // ''), file => text($file // ''), line => $row // 0};
    # Only cases with arguments are told.
    $test{$id}{cases} = $line =~ /"isParameterized":true/ ? 0 : 1;
  } elsif ($line =~ /"kind":"(testCaseEnded|issueRecorded|testSkipped|testCancelled|testCaseCancelled|testEnded|runEnded)"/) {
    my $kind = $1;
    if ($kind eq 'runEnded') { $is_over = 1; next }
    my ($id) = $line =~ /.*"testID":$string/ or next;
    my $test = $test{$id} or next;
    if ($kind eq 'testCaseEnded') { $test->{cases}++ }
    elsif ($kind eq 'issueRecorded') { $test->{why} = 'fails' unless $line =~ /"severity":"warning"/ }
    elsif ($kind eq 'testEnded') { $test->{ended} = 1; $test->{why} = 'fails' if $line =~ /"symbol":"fail"/ }
    else { $test->{why} = 'is skipped or disabled' }
  }
}
close $stream;
die "requirements: $events has no whole run\n" unless $is_over;

# --- The sources

# Swift without comments and with empty texts, so that braces and words are code.
sub code {
  my ($file) = @_;
  open my $in, '<', $file or return '';
  local $/;
  my $code = <$in>;
  close $in;
  my $blank = sub { my $lines = $_[0] =~ tr/\n//; "\n" x $lines };
  $code =~ s{(`[^`\n]*`)|(//[^\n]*)|(/\*.*?\*/)|(\#+"(?s:.*?)"\#+|"""(?s:.*?)"""|"(?:[^"\\\n]|\\[^(\n]|\\\((?:[^()\n]|\([^()\n]*\))*\))*")}
            {defined $1 ? $1 : defined $4 ? '""' . $blank->($4) : $blank->($2 // $3)}gse;
  return $code;
}

# From a function's name on: the first braces at the level of its parameters' list.
sub body {
  my ($code, $from) = @_;
  my ($depth, $start) = (0, undef);
  pos($code) = $from;
  while ($code =~ /([(){}\[\]])/g) {
    if ($1 eq '{' && $depth == 0) { $start //= pos $code }
    $depth += $1 =~ /[({\[]/ ? 1 : -1;
    return substr $code, $start, pos($code) - 1 - $start if defined $start && $depth == 0;
  }
  return '';
}

my $expects = qr/#expect\b|#require\b|\bIssue\s*\.\s*record\b|\bthrow ScreenshotFailure\b/;
my (%code, %bodies);
for my $file (split /\n/, `find "$root/Tests" "$root/Sources/ScreenshotTesting" -name '*.swift' 2>/dev/null`) {
  $code{$file} = code($file);
  while ($code{$file} =~ /\bfunc\s+(\w+)/g) { push @{$bodies{$1}}, body($code{$file}, pos $code{$file}) }
}

# Functions that expect something: themselves, or by another one.
my %helps = (verifyScreenshots => 1);
my $grew = 1;
while ($grew) {
  $grew = 0;
  my $calls = join '|', sort keys %helps;
  for my $name (keys %bodies) {
    next if $helps{$name} || !grep { /$expects/ || /\b(?:$calls)\s*[({]/ } @{$bodies{$name}};
    $helps{$name} = $grew = 1;
  }
}
my $helpers = join '|', grep { /^(?:changes$|keeps$|expect|verify|check)/ } sort keys %helps;

# Whether the function after a test's attribute expects anything.
sub is_empty {
  my ($test) = @_;
  my $code = $code{$test->{file}} //= code($test->{file});
  return 0 if $code eq '';
  my @rows = split /\n/, $code, -1;
  my $rest = join "\n", @rows[$test->{line} - 1 .. $#rows];
  $rest =~ /\bfunc\s+(?:`[^`]*`|\w+)/g or return 0;
  my $body = body($rest, pos $rest);
  return $body !~ /$expects|\b(?:$helpers)\s*[({]/;
}

# --- The count

my (%counted, %reasons);
my $tests = 0;
for my $test (sort { $a->{name} cmp $b->{name} } values %test) {
  my @about = grep { $is_id{$_} } subjects($test->{name}) or next;
  my $why = $test->{why};
  $why //= 'did not run' unless $test->{ended} && $test->{cases};
  $why //= 'expects nothing' if is_empty($test);
  if (defined $why) {
    push @{$reasons{$_}}, "\"$test->{name}\" $why" for @about;
  } else {
    $tests++;
    $counted{$_}++ for @about;
  }
}
my @missing = grep { !$counted{$_} } @ids;
my ($title) = $page =~ m{([^/]+)\.md$};
printf "$title: %d lines, %d tests, %s\n", scalar @ids, $tests,
  @missing ? 'missing: ' . join(', ', @missing) : 'none missing';
for my $id (@missing) { print "  $id: ", join('; ', @{$reasons{$id} // ['no test is about it']}), "\n" }
exit(@missing ? 1 : 0);
