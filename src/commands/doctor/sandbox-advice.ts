/** What is known of the machine that a sandbox is to work on. */
export interface Machine {
  readonly platform: string;
  /** `ID` and `VERSION_ID` of os-release, where there is one. */
  readonly distribution?: { readonly id: string; readonly version: string };
  readonly isContainer: boolean;
  /** Ubuntu's sysctl `kernel.apparmor_restrict_unprivileged_userns` is 1. */
  readonly restrictsNamespaces: boolean;
  readonly lacks: readonly string[];
}

const INSTALL: Readonly<Record<string, string>> = {
  debian: "sudo apt-get install --yes bubblewrap",
  ubuntu: "sudo apt-get install --yes bubblewrap",
  fedora: "sudo dnf install --assumeyes bubblewrap",
  rhel: "sudo dnf install --assumeyes bubblewrap",
  arch: "sudo pacman -S --noconfirm bubblewrap",
  alpine: "apk add bubblewrap util-linux-misc setpriv",
};

/** For bubblewrap alone: narrower than the sysctl, which lifts the restriction for every program. Source: Ubuntu's AppArmor documentation on user namespaces. */
const APPARMOR = [
  "Ubuntu keeps user namespaces from programs that no AppArmor profile names. As root, allow them to bubblewrap alone:",
  "  cat > /etc/apparmor.d/bwrap <<'END'",
  "  abi <abi/4.0>,",
  "  include <tunables/global>",
  "  profile bwrap /usr/bin/bwrap flags=(unconfined) {",
  "    userns,",
  "    include if exists <local/bwrap>",
  "  }",
  "  END",
  "  apparmor_parser --replace /etc/apparmor.d/bwrap",
];

const CONTAINER = [
  "In a container, its engine must let user namespaces, mounts and a /proc of one's own be made. With Docker or Podman:",
  "  --security-opt seccomp=unconfined --security-opt apparmor=unconfined --security-opt systempaths=unconfined",
  "  (narrower: the engine's own seccomp profile with clone, unshare, mount, umount2, pivot_root, setns and sethostname allowed)",
  "On Kubernetes: hostUsers: false, and securityContext.procMount: Unmasked.",
  "Exact limits need a cgroup that can be written: --cgroupns private and, with Docker, --volume /sys/fs/cgroup:/sys/fs/cgroup:rw.",
];

const MAC = [
  "On macOS install the optional package that drives its own sandbox:",
  "  npm install @anthropic-ai/sandbox-runtime",
  "It was built from that package's documentation and has not been tried on a Mac.",
];

const OTHER = [
  "There is no sandbox for this system. The server's configuration (SALLYPORT_CONFIG) can name a command in which commands run:",
  '  sandbox: { mode: external, command: [docker, run, --rm, --network=none, -v, "{workspace}:/w", -w, /w, node:24] }',
];

/** What to install or set so that commands can be run, most likely first. */
export function sandboxAdvice({ platform, distribution, isContainer, restrictsNamespaces, lacks }: Machine): readonly string[] {
  if (platform === "darwin") return MAC;
  if (platform !== "linux") return OTHER;
  const install = INSTALL[distribution?.id ?? ""] ?? "install the package bubblewrap";
  return [
    ...(lacks.includes("bwrap") ? ["Install bubblewrap:", `  ${install}`] : []),
    ...(restrictsNamespaces ? APPARMOR : []),
    ...(isContainer ? CONTAINER : []),
    ...(lacks.length === 0 && !restrictsNamespaces && !isContainer
      ? [
          "Allow unprivileged user namespaces: sysctl user.max_user_namespaces and, on Debian, kernel.unprivileged_userns_clone must not be 0.",
        ]
      : []),
  ];
}

/** What makes limits exact on a machine where control groups are not handed on. */
export const DELEGATION_ADVICE: readonly string[] = [
  "Limits of memory are counted ten times a second, since no cgroup is handed on. For exact ones, in the service's unit: Delegate=memory pids",
];
