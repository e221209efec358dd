#!/usr/bin/env perl
# Counts home-made words in the comments of Sources and in the Markdown files, so that sentences stay in plain English: prints each
# count beside the count of 5e459cc, where counting began, and the most that is allowed, and fails if there are more. `words.pl [FOLDER]`.
use strict;
use warnings;
use open qw(:std :utf8);

my $folder = shift // ".";
chdir $folder or die "$folder: $!\n";
# Name, pattern, where it applies (all, or the first words of a documentation comment), how many there were, how many are allowed.
my @rules = (
  ["tell, tells, told",                     qr/\b(?:tells?|told|telling)\b(?!-tale)/i,                         "text",  289, 30],
  ["is none, are none, of none",            qr/\b(?:is|are|was|of|be) none\b/i,                          "text",  44, 0],
  ["another one, other one, other than",    qr/\b(?:another one|other ones?|other than|others than)\b/i, "text",  59, 5],
  ["sentences that begin with What, Who, None, Nothing, Besides", qr/^(?:What|Who|None|Nothing|Besides)\b/, "first", 194, 15],
  ["person, people, somebody, nobody",      qr/\b(?:persons?|people|somebody|someone|nobody|no one)\b/i, "text",  290, 40],
);
my @before = map { 0 } @rules;
my (@counts, @where, $long);
$long = 0;
my @long;
for my $file (split /\0/, `git ls-files -z --cached --others --exclude-standard -- 'Sources/*.swift' 'Benchmarks/CockpitBench/*.swift' 'Tests/CompositorInput/*.swift' '*.md'`) {
  next if $file =~ m{^(?:Examples|Tests|Benchmarks)/(?!CockpitBench/|CompositorInput/)};
  open my $in, "<", $file or next;
  my ($is_swift, $code, $was_doc) = ($file =~ /\.swift$/, 0, 0);
  while (my $line = <$in>) {
    chomp $line;
    my ($text, $first) = ($line, 0);
    if ($is_swift) {
      my $is_doc = $line =~ m{^\s*///};
      $first = $is_doc && !$was_doc;
      $was_doc = $is_doc;
      next unless $line =~ m{(?:^|\s)///?\s?(.*)};
      $text = $1;
    } else {
      $code = !$code, next if $line =~ /^\s*```/;
      next if $code || $line =~ /^    /;
      if (length $line > 140 && $line !~ /^\s*\|/ && $line !~ /^\s*(?:!?\[|<)/) { $long++; push @long, "$file:$." }
    }
    $text =~ s/`[^`]*`//g;
    for my $i (0 .. $#rules) {
      my (undef, $pattern, $scope) = @{ $rules[$i] };
      next if $scope eq "first" && !$first;
      my $found = () = $text =~ /$pattern/g;
      $counts[$i] += $found;
      push @{ $where[$i] }, "$file:$." if $found;
    }
  }
}
my $failed = 0;
printf "%-62s %7s %5s %8s\n", "", "before", "now", "allowed";
sub row {
  my ($name, $before, $now, $allowed, $places) = @_;
  printf "%-62s %7d %5d %8d\n", $name, $before, $now, $allowed;
  return if $now <= $allowed;
  $failed = 1;
  print "    $_\n" for @$places[0 .. ($#$places > 9 ? 9 : $#$places)];
}
row($rules[$_][0], $rules[$_][3], $counts[$_] // 0, $rules[$_][4], $where[$_] // []) for 0 .. $#rules;
row("lines of prose over 140 characters", 235, $long, 0, \@long);
exit $failed;
