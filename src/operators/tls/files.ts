import { readFileSync, statSync } from 'node:fs'
import { reasonText } from '../../core/reason/reasons'
import { readPair, type ServedCertificate } from './certificate'

interface Paths {
  certificate: string
  key: string
}

/** Own certificate files. They are read again when one of them changes. */
export class CertificateFiles {
  private stamp = ''

  constructor(private readonly paths: Paths) {}

  /**
   * The certificate when a file has changed since the last call; null when none has. A text is the reason why the files
   * cannot be served; while only one of the two is written, the old certificate stays.
   */
  readChanged(): ServedCertificate | string | null {
    try {
      const stamp = [this.paths.certificate, this.paths.key].map(stampOf).join(' ')
      if (stamp === this.stamp) return null
      const read = readFiles(this.paths)
      // Files that cannot be served are read again: a right to read them changes nothing that is seen here.
      this.stamp = typeof read === 'string' ? '' : stamp
      return read
    } catch (error) {
      return reasonOf(error)
    }
  }
}

/** The certificate of the files, or the reason why it cannot be served. */
export function readFiles({ certificate, key }: Paths): ServedCertificate | string {
  try {
    const read = readPair(readFileSync(certificate, 'utf8'), readFileSync(key, 'utf8'))
    return typeof read === 'string' ? reasonText('TLS_FILES_WRONG', { message: read, certificate, key }) : read
  } catch (error) {
    return reasonOf(error)
  }
}

const reasonOf = (error: unknown): string =>
  reasonText('TLS_FILES_AWAY', { words: error instanceof Error ? error.message : String(error) })

const stampOf = (path: string): string => {
  const { mtimeMs, size, ino } = statSync(path)
  return `${mtimeMs}.${size}.${ino}`
}
