import { invalid } from '../../base/errors'
import { headerText } from '../../base/http/parameters'
import type { FlagEnvironment } from '../../core/flag/names'

/** The ten spellings of wire 2.3. */
const SPELLINGS: Readonly<Record<string, FlagEnvironment>> = {
  prod: 'PROD',
  production: 'PROD',
  PROD: 'PROD',
  PRODUCTION: 'PROD',
  staging: 'STAGING',
  STAGING: 'STAGING',
  development: 'DEVELOPMENT',
  dev: 'DEVELOPMENT',
  DEVELOPMENT: 'DEVELOPMENT',
  DEV: 'DEVELOPMENT',
}

/**
 * The environment whose flags a call asks for: query `env`, else header `X-Svc-Env`, else PROD; a blank value counts as
 * absent.
 */
export function environmentOf(headers: Headers, query: { env?: string | undefined }): FlagEnvironment {
  const given = query.env?.trim() || headerText(headers, 'x-svc-env') || 'PROD'
  const env = toEnvironment(given)
  if (!env) throw invalid('env must be one of prod, staging, development')
  return env
}

/** The environment that a spelling means, or null. */
export const toEnvironment = (given: string): FlagEnvironment | null =>
  (Object.hasOwn(SPELLINGS, given) ? SPELLINGS[given] : undefined) ?? null
