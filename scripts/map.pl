#!/usr/bin/env perl
# map.pl ARCHITECTURE.md <TESTS: names the files, tests and functions of its tables that are not there; TESTS is the list of `swift test list`.
# Paths begin at Sources/; `../` is the folder of the page; a name without a folder is beside the one before it in its row.
use v5.30;
use warnings;
use open qw(:std :encoding(UTF-8));
use File::Basename qw(dirname);

my ($page) = @ARGV;
my $status = 0;
my $line;
sub missing { say "$page:$line: there is no $_[0]"; $status = 1 }

# "ControlsTests.ButtonTests/`a name`()"
my %tests = map { $_ => 1 } map { m{(\w+)/}g } <STDIN>;

open my $in, '<', $page or die "$page: $!\n";
my $isOfSymptoms = 0;
my $folder = '.';
while (<$in>) {
  $line = $.;
  $isOfSymptoms = 0 if /^#/;
  $isOfSymptoms = 1 if /^\| symptom \|/;
  next unless /^\|/;
  my $text = '';
  while (/`([^` ]+)`/g) {
    my $name = $1;
    if ($name =~ m{\.(?:swift|list|sh|pl)$|/$}) {
      # These two stand for any name.
      next if $name =~ m{(?:^|/)(?:NAME|MODULE)};
      my $path = $name =~ m{^\.\./(.*)} ? $1 : $name =~ m{/} ? "Sources/$name" : "$folder/$name";
      $folder = $path =~ m{^(.*)/$} ? $1 : dirname($path);
      if (!-e $path) { missing($path) }
      elsif ($isOfSymptoms && -f $path) {
        open my $source, '<', $path or die "$path: $!\n";
        local $/;
        $text .= <$source>;
      }
    } elsif ($isOfSymptoms && $text ne '' && $name =~ /^\w+$/) {
      missing("$name in the files named before it") unless $text =~ /\b\Q$name\E\b/;
    }
  }
  next unless $isOfSymptoms;
  my ($named) = /\|\s*([^|]*?)\s*\|\s*$/ or next;
  for my $test ($named =~ /\b([A-Z]\w*Tests)\b/g) { missing("test $test") unless $tests{$test} }
}
exit $status;
