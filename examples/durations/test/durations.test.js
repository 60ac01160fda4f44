import assert from 'node:assert/strict'
import { test } from 'node:test'
import { format, parse } from '../src/durations.js'

test('parse adds up the units', () => {
  assert.equal(parse('1h30m'), 5_400)
  assert.equal(parse('2d1s'), 172_801)
})

test('parse refuses what is no duration', () => {
  assert.throws(() => parse('soon'), RangeError)
})

test('format writes whole units only', () => {
  assert.equal(format(0), '0s')
  assert.equal(format(90), '1m30s')
  assert.equal(format(5_400), '1h30m')
})

test('format and parse agree', () => {
  for (const seconds of [1, 59, 60, 61, 3_599, 3_600, 86_399, 90_061]) assert.equal(parse(format(seconds)), seconds)
})
