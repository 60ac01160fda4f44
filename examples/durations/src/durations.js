const SECONDS = { d: 86_400, h: 3_600, m: 60, s: 1 }

/** Seconds in a duration such as `1h30m`. Throws a RangeError for anything else. */
export function parse(text) {
  if (!/^(\d+[dhms])+$/.test(text)) throw new RangeError(`not a duration: ${text}`)
  let seconds = 0
  for (const [, count, unit] of text.matchAll(/(\d+)([dhms])/g)) seconds += Number(count) * SECONDS[unit]
  return seconds
}

/** The shortest way to write a number of seconds: `5400` is `1h30m`, `0` is `0s`. */
export function format(seconds) {
  let rest = seconds
  let text = ''
  for (const [unit, size] of Object.entries(SECONDS)) {
    const count = Math.round(rest / size)
    if (count === 0) continue
    text += `${count}${unit}`
    rest -= count * size
  }
  return text || '0s'
}
