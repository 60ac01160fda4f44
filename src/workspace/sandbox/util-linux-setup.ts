/**
 * Builds the new root and runs the command in it. It is the first process of the new pid namespace, root only of its own user namespace,
 * and stays as the one that collects what the command leaves behind: when it ends, the kernel ends everything in the namespace.
 *
 * Arguments: the folder to build on, the folder to start in, steps of three (kind, target, source; those of kind `private` first), `--`, the command line.
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
      "$root$start" | "$root$start"/*) wanted=nosuid,nodev ;;
      *) case ,$options, in *,ro,*) continue ;; esac
         case " $private " in *" $point "*) continue ;; esac
         wanted=ro,nosuid,nodev ;;
    esac
    mount -n -o "remount,bind,$wanted" "$point" 2>/dev/null || mount -n -o "remount,bind,$wanted,noexec" "$point"
  done <<EOF
$(cat /proc/self/mountinfo)
EOF
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
while [ "$1" = private ]; do
  [ -d "$root$2" ] || mkdir -p "$root$2"
  private="$private $root$2"
  add sandbox "$root$2" tmpfs "mode=1777,size=$3,nosuid,nodev"
  shift 3
done
printf %s "$list" > "$stand/list"
mount -n -a -T "$stand/list"

while [ "$1" != -- ]; do
  kind=$1
  target=$root$2
  source=$3
  shift 3
  [ -d "\${target%/*}" ] || mkdir -p "\${target%/*}"
  case $kind in
    folder) mkdir "$target"; bind "$source" "$target" ro,nosuid,nodev ;;
    file) : > "$target"; bind "$source" "$target" ro,nosuid,nodev ;;
    workspace) mkdir "$target"; bind "$source" "$target" nosuid,nodev ;;
    link) ln -s "$source" "$target" ;;
    text) printf %s "$source" > "$target" ;;
  esac
done
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
