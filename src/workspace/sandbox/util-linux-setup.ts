/**
 * Builds the new root and runs the command in it. It is the first process of the new pid namespace, root only of its own user namespace,
 * and stays as the one that collects what the command leaves behind: when it ends, the kernel ends everything in the namespace.
 *
 * Arguments: the folder to build on, the folder to start in, steps of three (kind, target, source; those of kind `private` first; no name holds a line break), `--`, the command line.
 */
export const SETUP = `set -eu
PATH=/usr/sbin:/usr/bin:/sbin:/bin
umask 022
stand=$1
root=$1/new
start=$2
shift 2

# What is locked on the host's mount must be said again, or the kernel refuses.
bind() {
  mount -n -o "rbind,$3" "$1" "$2" 2>/dev/null || mount -n -o "rbind,$3,noexec" "$1" "$2"
}
# A folder may bring further mounts with it, which a bind leaves as they are.
lock_inner_mounts() {
  while read -r _ _ _ _ point options _; do
    case $point in "$root"/*) ;; *) continue ;; esac
    case $point in *\\\\*) point=$(printf '%b' "$point") ;; esac
    case $point in "$root/dev" | "$root/dev"/* | "$root/proc" | "$root/proc"/*) continue ;; esac
    case $point in
      "$root$start" | "$root$start"/*)
         case ,$options, in *,nosuid,nodev,*) continue ;; esac
         wanted=nosuid,nodev ;;
      *) case ,$options, in *,ro,*) continue ;; esac
         case " $private " in *" $point "*) continue ;; esac
         wanted=ro,nosuid,nodev ;;
    esac
    mount -n -o "remount,bind,$wanted" "$point" 2>/dev/null || mount -n -o "remount,bind,$wanted,noexec" "$point"
  done <<EOF
$(cat /proc/self/mountinfo)
EOF
}

# Starting a program takes longer than what it does here, so one makes all folders, one all links that may stand side by side.
lines='
'
make_places() {
  folders=
  while [ "$1" != -- ]; do
    case $1 in
      private | folder | workspace) folders=$folders$root$2$lines ;;
      *) folders=$folders$root\${2%/*}$lines ;;
    esac
    shift 3
  done
  IFS=$lines
  set -f
  mkdir -p $folders
  set +f
  unset IFS
}
fill_places() {
  links=
  while [ "$1" != -- ]; do
    case $1 in
      file) : > "$root$2" ;;
      text) printf %s "$3" > "$root$2" ;;
      link) if [ "$2" = "/\${3##*/}" ]; then links=$links$3$lines; else ln -s "$3" "$root$2"; fi ;;
    esac
    shift 3
  done
  IFS=$lines
  set -f
  [ -z "$links" ] || ln -s $links "$root/"
  set +f
  unset IFS
}
# Answers whether all names can stand in a list as in fstab(5).
list_binds() {
  binds=
  while [ "$1" != -- ]; do
    case $1 in
      folder | file) options=ro,nosuid,nodev ;;
      workspace) options=nosuid,nodev ;;
      *) shift 3; continue ;;
    esac
    case $2$3 in *[!A-Za-z0-9/._+@%:~-]*) return 1 ;; esac
    binds="$binds$3 $root$2 none rbind,$options 0 0$lines"
    shift 3
  done
}
# A place below a private folder is covered by that, and made again.
bind_each() {
  while [ "$1" != -- ]; do
    case $1 in
      folder | workspace) [ -d "$root$2" ] || mkdir -p "$root$2" ;;
      file) [ -e "$root$2" ] || { mkdir -p "$root\${2%/*}"; : > "$root$2"; } ;;
    esac
    case $1 in
      folder | file) bind "$3" "$root$2" ro,nosuid,nodev ;;
      workspace) bind "$3" "$root$2" nosuid,nodev ;;
    esac
    shift 3
  done
}

# Twice, since the host's own mounts below the stand keep their names in the list of mounts.
mount -n -t tmpfs -o mode=755,size=1m,nosuid,nodev sandbox "$stand"
mkdir "$root"
mount -n -t tmpfs -o mode=755,size=16m,nosuid,nodev sandbox "$root"
mkdir "$root/dev" "$root/dev/shm" "$root/dev/pts" "$root/proc" "$root/old"
ln -s pts/ptmx /proc/self/fd "$root/dev/"
ln -s /proc/self/fd/0 "$root/dev/stdin"
ln -s /proc/self/fd/1 "$root/dev/stdout"
ln -s /proc/self/fd/2 "$root/dev/stderr"
mount -n -t devpts -o newinstance,ptmxmode=0666,mode=620,nosuid,noexec sandbox "$root/dev/pts" 2>/dev/null || :
mount -n -t proc -o nosuid,nodev,noexec proc "$root/proc"
# One user namespace more, for the command; none inside it.
echo 1 > "$root/proc/sys/user/max_user_namespaces"

# What brings no locked options along is mounted by one process, from a list as in fstab(5); none of its names holds a blank.
list=
private=
add() {
  list="$list$1 $2 $3 $4 0 0
"
}
for device in null zero full random urandom; do
  : > "$root/dev/$device"
  add "/dev/$device" "$root/dev/$device" none bind,nosuid,noexec
done
for name in sys sysrq-trigger irq bus fs acpi scsi; do
  if [ -e "$root/proc/$name" ]; then add "$root/proc/$name" "$root/proc/$name" none bind,ro,nosuid,nodev,noexec; fi
done
for name in kcore keys timer_list; do
  if [ -e "$root/proc/$name" ]; then add /dev/null "$root/proc/$name" none bind; fi
done
make_places "$@"
fill_places "$@"
while [ "$1" = private ]; do
  private="$private $root$2"
  add sandbox "$root$2" tmpfs "mode=1777,size=$3,nosuid,nodev"
  shift 3
done
printf %s "$list" > "$stand/list"
# Whatever one list could not do is done again, one by one, on top of it.
if list_binds "$@" && printf %s "$list$binds" > "$stand/all" && mount -n -a -T "$stand/all" 2>/dev/null; then :; else
  mount -n -a -T "$stand/list"
  bind_each "$@"
fi
while [ "$1" != -- ]; do shift 3; done
shift
lock_inner_mounts
ip link set lo up 2>/dev/null || ifconfig lo up 2>/dev/null || :
hostname sandbox 2>/dev/null || :

cd "$root"
pivot_root . old
umount -n -l /old
rmdir /old
mount -n -o remount,bind,ro,nosuid,nodev /
cd "$start"
set +e
# From here on this shell has nothing to say: it would tell of a command that was killed.
exec 4>&2 2>/dev/null
"$@" 2>&4 4>&- &
wait $!
exit $?
`;
