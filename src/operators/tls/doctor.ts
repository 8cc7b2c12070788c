import { type Check, type Examination, fail, ok, warn } from '../../base/cli/doctor'
import type { Config } from '../../base/config'
import { DAY } from '../../base/lib/clock'
import { toIso } from '../../base/lib/time'
import { readFiles } from './files'
import { listNameStatus, type NameStatus } from './status'

/** The certificates of this server: a line for each name. */
export const tlsExamination: Examination = {
  name: 'tls',
  async database({ handle, config, now: ownNow }) {
    const now = ownNow - config.testClockOffsetMs
    if (config.tls.files) return checkFiles(config.tls.files, now)
    // Also without names in the configuration: those of `svc serve --domain` are in the database only.
    const names = await listNameStatus(handle, now)
    const missing = config.tls.names.filter((wanted) => !names.some(({ name }) => name === wanted))
    return [...missing.map(notStarted), ...names.map((status) => checkName(status, now))]
  },
}

const title = (name: string): string => `certificate ${name}`

const notStarted = (name: string): Check =>
  warn(title(name), 'The server has not asked for it yet; it does so when it runs with this configuration.')

function checkName({ name, status, notAfter, error }: NameStatus, now: number): Check {
  const why = error === null ? '' : ` ${error.detail}.`
  const until = notAfter === null ? '' : toIso(notAfter)
  if (status === 'PENDING')
    return warn(title(name), 'There is none yet. The running server gets it; see: svc tls status')
  if (status === 'FAILED') return fail(title(name), `There is none.${why} ${RETRY}`)
  if (status === 'EXPIRED') return fail(title(name), `It ended on ${until}.${why} ${RETRY}`)
  if (error) return warn(title(name), `It is valid until ${until}, and could not be renewed.${why} ${RETRY}`)
  if (notAfter !== null && notAfter - now < DAY) return warn(title(name), `It ends on ${until}.`)
  return ok(title(name), `It is valid until ${until}, and renewed before.`)
}

const RETRY = 'Correct it; svc tls renew tries it at once.'

function checkFiles(files: NonNullable<Config['tls']['files']>, now: number): Check[] {
  const read = readFiles(files)
  if (typeof read === 'string') return [fail('certificate files', `${read}.`)]
  const until = toIso(read.notAfter)
  return read.names.map((name) => {
    if (read.notAfter <= now) return fail(title(name), `It ended on ${until}; replace the files in SVC_TLS.`)
    if (read.notAfter - now < 14 * DAY) return warn(title(name), `It ends on ${until}; replace the files in SVC_TLS.`)
    return ok(title(name), `It is valid until ${until}.`)
  })
}
