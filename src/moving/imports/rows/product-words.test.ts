import { expect, test } from 'bun:test'
import { readPeriod, readProductType } from './product-words'

const TYPES: [text: string, type: string | null][] = [
  ['subscription', 'SUBSCRIPTION'],
  ['Auto-Renewable Subscription', 'SUBSCRIPTION'],
  ['NON_RENEWING_SUBSCRIPTION', 'SUBSCRIPTION'],
  ['subs', 'SUBSCRIPTION'],
  ['Consumable', 'CONSUMABLE'],
  ['non_consumable', 'NON_CONSUMABLE'],
  ['Non-Consumable', 'NON_CONSUMABLE'],
  ['inapp', 'ONE_TIME'],
  ['one-time purchase', 'ONE_TIME'],
  ['renewal', null],
  ['constructor', null],
  ['', null],
]
for (const [text, type] of TYPES)
  test(`the type "${text}" is ${type}`, () => expect(readProductType(text)).toBe(type as never))

const PERIODS: [text: string, period: string | null][] = [
  ['P1M', 'P1M'],
  ['p1y', 'P1Y'],
  ['P30D', 'P30D'],
  ['1 month', 'P1M'],
  ['3 months', 'P3M'],
  ['30 days', 'P30D'],
  ['ONE_MONTH', 'P1M'],
  ['SIX_MONTHS', 'P6M'],
  ['ONE_YEAR', 'P1Y'],
  ['month', 'P1M'],
  ['Monthly', 'P1M'],
  ['annual', 'P1Y'],
  ['half-yearly', 'P6M'],
  ['P0D', null],
  ['0 days', null],
  ['30', null],
  ['soon', null],
  ['toString', null],
  ['', null],
]
for (const [text, period] of PERIODS)
  test(`the period "${text}" is ${period}`, () => expect(readPeriod(text)).toBe(period))
