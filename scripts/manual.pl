#!/usr/bin/env perl
# Fills a manual page or writes completions from the program's own `--help`: one list of options for all of them.
#
#   manual.pl man TEMPLATE VERSION DATE PREFIX <HELP
#   manual.pl bash|zsh|fish PROGRAM <HELP
use v5.30;
use warnings;
use open qw(:std :encoding(UTF-8));

my ($kind, @arguments) = @ARGV;
my (@options, @keys, @commands, $section, $group);
while (<STDIN>) {
  chomp;
  # The cockpit's options come in groups, each with a heading of its own.
  if (/^(Options|Keys|Commands)( for .*)?:$/) { ($section, $group) = ($1, $2 ? $1 . $2 : ''); next }
  $section = undef if /^\S/;
  next if !defined $section || $_ eq '';
  if ($section eq 'Options') {
    if (/^  --(\S+)(?: (\S+))?(?:\s+(\S.*))?$/) { push @options, {name => $1, value => $2 // '', text => $3 // '', group => $group} }
    elsif (/^\s{20,}(\S.*)$/) { $options[-1]{text} .= ($options[-1]{text} eq '' ? '' : ' ') . $1 }
    else { die "manual.pl: the help has a line of another form: $_\n" }
  } elsif ($section eq 'Commands') {
    push @commands, [$1, $2] if /^  (\w+)\s{2,}(\S.*)$/;
  } elsif (/^  (\S(?:.*?\S)?)\s{2,}(\S.*)$/) {
    push @keys, [$1, $2];
  }
}
die "manual.pl: no options in the help\n" unless @options > 5 && (@keys || @commands);

# The values to choose from, where the help names them all.
sub choices {
  my $value = shift;
  return ('-', 'unix:', 'udp:') if $value eq 'PLACE';
  return ('N', 'R', 1 .. $1) if $value =~ /^N\|R\|1\.\.([0-9]+)$/;
  $value =~ /^[a-z]+(\|[a-zA-Z]+)+$/ ? grep { !/[A-Z]/ } split(/\|/, $value) : ();
}
sub is_file { shift =~ /^(FILE|FOLDER)/ }

if ($kind eq 'man') {
  my ($template, $version, $date, $prefix) = @arguments;
  my $roff = sub { my $text = shift; $text =~ s/\\/\\e/g; $text =~ s/-/\\-/g; $text =~ s/^([.'])/\\&$1/; $text };
  my $heading = '';
  my $listed = join "\n", map {
    my $above = $_->{group} eq $heading ? '' : ".SS $_->{group}\n";
    $heading = $_->{group};
    my $value = $_->{value} ? ' ' . '\fI' . $roff->($_->{value}) . '\fR' : '';
    "$above.TP\n\\fB\\-\\-" . $roff->($_->{name}) . "\\fR$value\n" . $roff->($_->{text})
  } @options;
  my $pressed = join "\n", map { ".TP\n.B " . $roff->($_->[0]) . "\n" . $roff->($_->[1]) } @keys;
  open my $file, '<', $template or die "manual.pl: $template: $!\n";
  local $/;
  my $page = <$file>;
  my %parts = (VERSION => $version, DATE => $date, PREFIX => $prefix, OPTIONS => $listed, KEYS => $pressed);
  $page =~ s/\@([A-Z]+)\@/$parts{$1} \/\/ die "manual.pl: $template: no such part: $1\n"/ge;
  print $page;
} elsif ($kind eq 'bash') {
  my ($program) = @arguments;
  (my $function = "_$program") =~ tr/-/_/;
  my $names = join ' ', map { "--$_->{name}" } @options;
  say "# bash completion for $program\n$function() {";
  say '  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}';
  # bash parts "--option=value" at the sign.
  say '  [[ $current != = ]] || current=';
  say '  [[ $previous != = || $COMP_CWORD -lt 2 ]] || previous=${COMP_WORDS[COMP_CWORD - 2]}';
  say '  case $previous in';
  for my $option (@options) {
    my @choices = choices($option->{value});
    if (@choices) { say "    --$option->{name}) COMPREPLY=(\$(compgen -W '@choices' -- \"\$current\")) && return ;;" }
    elsif (is_file($option->{value})) { say "    --$option->{name}) COMPREPLY=(\$(compgen -f -- \"\$current\")) && return ;;" }
    elsif ($option->{value}) { say "    --$option->{name}) return ;;" }
  }
  say '  esac';
  if (@commands) {
    my $commands = join ' ', map { $_->[0] } @commands;
    say "  [[ \$COMP_CWORD -gt 1 ]] || { COMPREPLY=(\$(compgen -W '$commands' -- \"\$current\")) && return; }";
    # Scripts and clients are files.
    say '  [[ $current == -* ]] || { COMPREPLY=($(compgen -f -- "$current")) && return; }';
  }
  say "  COMPREPLY=(\$(compgen -W '$names' -- \"\$current\"))\n}\ncomplete -o filenames -F $function $program";
} elsif ($kind eq 'zsh') {
  my ($program) = @arguments;
  say "#compdef $program\n_arguments \\";
  say "  '1:command:(" . join(' ', map { $_->[0] } @commands) . ")' '*:file:_files' \\" if @commands;
  say join " \\\n", map {
    (my $text = $_->{text}) =~ s/(['\[\]:\\])/$1 eq "'" ? "'\\''" : "\\$1"/ge;
    my @choices = choices($_->{value});
    my $value = !$_->{value} ? '' : @choices ? ":value:(@choices)" : is_file($_->{value}) ? ':file:_files' : ':value: ';
    "  '--$_->{name}\[$text\]$value'"
  } @options;
} elsif ($kind eq 'fish') {
  my ($program) = @arguments;
  say "complete -c $program" . (@commands ? '' : ' -f');
  for my $command (@commands) {
    (my $text = $command->[1]) =~ s/(['\\])/\\$1/g;
    say "complete -c $program -f -n __fish_use_subcommand -a $command->[0] -d '$text'";
  }
  for my $option (@options) {
    (my $text = $option->{text}) =~ s/(['\\])/\\$1/g;
    my @choices = choices($option->{value});
    my $value = !$option->{value} ? '' : @choices ? " -x -a '@choices'" : is_file($option->{value}) ? ' -r -F' : ' -x';
    say "complete -c $program -l $option->{name}$value -d '$text'";
  }
} else {
  die "manual.pl: no form is called \"$kind\"\n";
}
