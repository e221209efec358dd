#!/usr/bin/env perl
# Counts home-made words in the comments and Markdown files of the repository, so that sentences stay in plain English: prints each count beside
# the count of 5e459cc, where counting began, and the most that is allowed, and fails if there are more. `words.pl [FOLDER]`. It finds comments
# by their signs (//, ///, #) and knows nothing else of a language: a sign inside a text counts too.
use strict;
use warnings;
use open qw(:std :utf8);

my $folder = shift // ".";
chdir $folder or die "$folder: $!\n";
my $opening = "(?:What|Who|None|Nothing|Besides)\\b";
# Name, pattern, where it applies (all, or documentation comments), how many there were, how many are allowed.
my @rules = (
  ["tell, tells, told",                     qr/\b(?:tells?|told|telling)\b(?!-tale)/i,                         "text",  336, 30],
  ["is none, are none, of none",            qr/\b(?:is|are|was|of|be) none\b/i,                          "text",  53, 0],
  ["another one, other one, other than",    qr/\b(?:another one|other ones?|other than|others than)\b/i, "text",  70, 5],
  ["sentences that begin with What, Who, None, Nothing, Besides", qr/^$opening|[.!?] $opening/,           "doc", 274, 15],
  ["person, people, somebody, nobody",      qr/\b(?:persons?|people|somebody|someone|nobody|no one)\b/i, "text",  343, 40],
  ["lines of prose over 140 characters",    qr/^.{141}/,                                                "line",  235, 0],
);
my (@counts, @where);
for my $file (split /\0/, `git ls-files -z --cached --others --exclude-standard -- '*.swift' '*.[ch]' '*.md' '*.sh' '*.pl' '*.py' dev .ci/run Benchmarks/run`) {
  open my $in, "<", $file or next;
  my ($code, $ends) = (0, 1);
  while (my $line = <$in>) {
    chomp $line;
    my ($text, $is_doc) = ($line, 0);
    if ($file =~ /\.md$/) {
      $code = !$code, next if $line =~ /^\s*```/;
      next if $code || $line =~ /^    /;
    } else {
      ($text) = $line =~ ($file =~ /\.(?:swift|[ch])$/ ? qr{(?:^|\s)///?\s?(.*)} : qr{(?:^|\s)#\s(.*)});
      $ends = 1, next unless defined $text;
      $is_doc = $line =~ m{^\s*///};
    }
    $text =~ s/`[^`]*`/`/g;
    for my $i (0 .. $#rules) {
      my (undef, $pattern, $scope) = @{ $rules[$i] };
      next if $scope eq "doc" && !$is_doc || $scope eq "line" && ($file !~ /\.md$/ || $line =~ /^\s*(?:\||!?\[|<)/);
      # A line goes on with the sentence of the one before it.
      my $found = () = ($scope eq "line" ? $line : $scope eq "doc" && !$ends ? "- $text" : $text) =~ /$pattern/g;
      $counts[$i] += $found;
      push @{ $where[$i] }, "$file:$." if $found;
    }
    $ends = $text =~ /(?:^|[.!?:])\s*$/;
  }
}
my $failed = 0;
printf "%-62s %7s %5s %8s\n", "", "before", "now", "allowed";
for my $i (0 .. $#rules) {
  my ($name, undef, undef, $before, $allowed) = @{ $rules[$i] };
  my $now = $counts[$i] // 0;
  printf "%-62s %7d %5d %8d\n", $name, $before, $now, $allowed;
  next if $now <= $allowed;
  $failed = 1;
  print "    $_\n" for grep { defined } @{ $where[$i] }[0 .. 9];
}
exit $failed;
