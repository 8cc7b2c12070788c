import { UsageError } from '../../base/cli/command'
import type { RemoteValues, TokenRule } from '../../base/cli/remote'
import { AppError } from '../../base/errors'
import { parseIso } from '../../base/lib/time'
import { readTypes } from '../../people/events/feed-types'
import { type ForwardTarget, readForwardTo } from './forward-to'
import { type FeedStart, FROM_NOW } from './source'

export const options = {
  project: { type: 'string' },
  'forward-to': { type: 'string' },
  types: { type: 'string' },
  'replay-from': { type: 'string' },
  url: { type: 'string' },
  token: { type: 'string' },
  data: { type: 'string' },
  json: { type: 'boolean' },
} as const

/** The options of a command line, checked. */
export interface Given {
  target: ForwardTarget
  types: string[]
  start: FeedStart
}

interface Values extends RemoteValues {
  'forward-to'?: string | undefined
  types?: string | undefined
  'replay-from'?: string | undefined
}

export const readGiven = (values: Values): Given => ({
  target: readForwardTo(values['forward-to']),
  types: readTypesOption(values.types),
  start: readStart(values['replay-from']),
})

function readTypesOption(text: string | undefined): string[] {
  try {
    return readTypes(text)
  } catch (error) {
    if (error instanceof AppError) throw new UsageError(`--${error.message}`)
    throw error
  }
}

const CURSOR = /^ZXZ0O[\w-]{1,195}$/

function readStart(text: string | undefined): FeedStart {
  if (text === undefined) return FROM_NOW
  const since = parseIso(text)
  if (since !== null) return { since }
  if (CURSOR.test(text)) return { cursor: text }
  throw new UsageError(
    '--replay-from takes a time like 2026-11-20T08:00:00Z, or a cursor that this command has printed',
  )
}

export const isPersonal = (token: string): boolean => token.startsWith('svc_pat_')

/** A secret key opens the feed of its project, a personal access token those that its person may see. */
export const TOKEN_RULE: TokenRule = {
  form: /^svc_(pat_[\w-]{1,200}|sec_[0-9A-Za-z]{43})$/,
  wanted: 'a secret key or a personal access token',
  accepted: 'a secret key (svc_sec_...) or a personal access token (svc_pat_...)',
}
