#!/usr/bin/env perl
# links.pl DOCUMENT...: names the relative links that lead to no file, or to no heading of a document. Anchors are made as GitHub makes them.
use v5.30;
use warnings;
use open qw(:std :encoding(UTF-8));
use File::Basename qw(dirname);

my %anchors;
sub anchors {
  my $path = shift;
  return $anchors{$path} //= do {
    my (%found, %count);
    open my $in, '<', $path or die "$path: $!\n";
    my $fenced = 0;
    local $_;
    while (<$in>) {
      $fenced = !$fenced if /^\s*```/;
      next if $fenced;
      $found{$1} = 1 while /<a (?:id|name)="([^"]+)"/g;
      my ($title) = /^#{1,6}\s+(.*?)\s*#*\s*$/ or next;
      $title =~ s/!?\[([^\]]*)\]\([^)]*\)/$1/g;
      my $anchor = lc $title;
      $anchor =~ s/[^\w\- ]//g;
      $anchor =~ s/ /-/g;
      my $number = $count{$anchor}++;
      $found{$number ? "$anchor-$number" : $anchor} = 1;
    }
    \%found;
  };
}

my $status = 0;
for my $document (@ARGV) {
  open my $in, '<', $document or die "$document: $!\n";
  my $fenced = 0;
  while (<$in>) {
    my $line = $.;
    $fenced = !$fenced if /^\s*```/;
    next if $fenced;
    s/`[^`]*`//g;
    while (/\]\(([^) ]+)\)/g) {
      my $link = $1;
      next if $link =~ /^[a-z]+:/;
      my ($path, $anchor) = $link =~ /^([^#]*)(?:#(.*))?$/;
      my $target = $path eq '' ? $document : dirname($document) . "/$path";
      my $leads = -e $target && (!defined $anchor || $target !~ /\.md$/ || anchors($target)->{$anchor});
      next if $leads;
      say "$document:$line: $link leads nowhere";
      $status = 1;
    }
  }
}
exit $status;
