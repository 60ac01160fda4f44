import type { Audit } from "./audit.ts";
import { placesAt, textsAt } from "./yaml-file.ts";
import type { YamlPlace } from "./yaml-file.ts";

/** Folders of a machine that give whoever writes there the machine; and the sockets of container engines. */
const MACHINE =
  /^(?:\/(?:$|(?:etc|root|home|boot|dev|proc|sys|usr|bin|sbin|lib|lib64|opt|var|run|mnt|Users|host)(?:\/|$))|~|\$\{?HOME\b|[A-Za-z]:[\\/])/;
const ABOVE = /^\.\.(?:\/|$)/;
const STRONG = /^(?:CAP_)?(?:ALL|SYS_ADMIN|SYS_PTRACE|SYS_MODULE|SYS_RAWIO|DAC_READ_SEARCH|NET_ADMIN|BPF)$/i;
/** Mounted read-only these tell the time and the name of the machine and nothing else. */
const HARMLESS = /^\/(?:etc\/(?:localtime|timezone)|usr\/share\/zoneinfo[^:]*)$/;

/** Whatever in a compose file hands the developer's machine to a container. Source: https://docs.docker.com/reference/compose-file/services */
export function auditCompose(places: readonly YamlPlace[]): readonly Audit[] {
  const service = ["services", "*"];
  const mounts = [
    ...textsAt(places, [...service, "volumes", "*"]).map((place) => ({ ...place, source: sourceOf(place.value) })),
    ...textsAt(places, [...service, "volumes", "*", "source"]).map((place) => ({ ...place, source: place.value })),
    ...textsAt(places, ["volumes", "*", "driver_opts", "device"]).map((place) => ({ ...place, source: place.value })),
  ];
  const shared = ["pid", "ipc", "userns_mode", "cgroup", "uts"].flatMap((key) => textsAt(places, [...service, key]));
  return [
    ...textsAt(places, [...service, "privileged"])
      .filter(({ value }) => value !== "false")
      .map(({ line }) => block(line, "a container would have every right on the machine that starts it", "Leave privileged out.")),
    ...mounts
      .filter(({ source }) => MACHINE.test(source) && !HARMLESS.test(source))
      .map(({ line }) =>
        block(line, "a container would reach into the machine that starts it", "Mount a folder of the project, or a named volume."),
      ),
    ...mounts
      .filter(({ source }) => ABOVE.test(source))
      .map(({ line }) => warn(line, "a container would see folders beside the project", "Mount a folder of the project.")),
    ...textsAt(places, [...service, "cap_add", "*"])
      .filter(({ value }) => STRONG.test(value))
      .map(({ line }) => block(line, "a container would have rights by which it can leave", "Leave the capability out.")),
    ...shared
      .filter(({ value }) => value === "host")
      .map(({ line }) => block(line, "a container would share the machine's own processes or users", "Leave it apart.")),
    ...textsAt(places, [...service, "network_mode"])
      .filter(({ value }) => value === "host")
      .map(({ line }) => warn(line, "a container would share the machine's network", "Publish the ports that are needed.")),
    ...textsAt(places, [...service, "security_opt", "*"])
      .filter(({ value }) => /unconfined|no-new-privileges[:=]false|label[:=]disable/.test(value))
      .map(({ line }) => block(line, "a container would run without the engine's protection", "Leave the protection on.")),
    ...placesAt(places, [...service, "devices"]).map(({ line }) =>
      warn(line, "a container would use devices of the machine", "Check which."),
    ),
  ];
}

/** The machine's side of `source:target:mode`. A drive letter's colon is none of these. */
function sourceOf(volume: string): string {
  const drive = /^[A-Za-z]:[\\/]/.exec(volume)?.[0] ?? "";
  const rest = volume.slice(drive.length);
  const end = rest.startsWith("${") ? rest.indexOf(":", rest.indexOf("}")) : rest.indexOf(":");
  // Without a colon it is a folder of the container alone.
  return end < 0 ? "" : drive + rest.slice(0, end);
}

function block(line: number, why: string, fix: string): Audit {
  return { severity: "block", line, why, fix };
}

function warn(line: number, why: string, fix: string): Audit {
  return { severity: "warn", line, why, fix };
}
