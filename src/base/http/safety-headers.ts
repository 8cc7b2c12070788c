import type { Config } from '../config'

type Headers = readonly (readonly [name: string, value: string])[]

/** Browsers take an answer for what its type says. */
const ALWAYS: Headers = [['x-content-type-options', 'nosniff']]

/** For a year, browsers ask only by https. */
const ON_HTTPS: Headers = [...ALWAYS, ['strict-transport-security', 'max-age=31536000']]

/** What every answer says to browsers, whatever it is. */
export const safetyHeaders = ({ publicBaseUrl }: Pick<Config, 'publicBaseUrl'>): Headers =>
  publicBaseUrl?.startsWith('https://') ? ON_HTTPS : ALWAYS
