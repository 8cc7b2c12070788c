import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

/** A mail as the server received it. */
export interface ReceivedMail {
  from: string
  to: string[]
  raw: string
  isSecure: boolean
}

export interface MailServer {
  port: number
  url: string
  received: ReceivedMail[]
  /** The recipients that were asked for, accepted or not. */
  asked: string[]
  /** Answers for recipients: the code and the text of a refusal, or null. */
  refuse: (address: string) => { code: number; text: string } | null
  close(): Promise<void>
}

/** A real SMTP server on loopback. */
export async function mailServer(options: SMTPServerOptions = {}, port = 0): Promise<MailServer> {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: options.key ? [] : ['STARTTLS'],
    logger: false,
    onRcptTo({ address }, _session, callback) {
      made.asked.push(address)
      const refusal = made.refuse(address)
      callback(refusal && Object.assign(new Error(refusal.text), { responseCode: refusal.code }))
    },
    onData(stream, { envelope, secure }, callback) {
      const parts: Buffer[] = []
      stream.on('data', (part: Buffer) => parts.push(part))
      stream.on('end', () => {
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address
        const to = envelope.rcptTo.map(({ address }) => address)
        made.received.push({ from, to, raw: Buffer.concat(parts).toString('utf8'), isSecure: secure })
        callback()
      })
    },
    ...options,
  })
  server.on('error', () => {}) // A client that ends the connection early is what some tests are about.
  const made: MailServer = {
    port: 0,
    url: '',
    received: [],
    asked: [],
    refuse: () => null,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const address = server.server.address()
  made.port = typeof address === 'object' && address ? address.port : 0
  made.url = `smtp://127.0.0.1:${made.port}`
  return made
}

/** The header of a received mail, with its folded lines joined. */
export const headerOf = ({ raw }: ReceivedMail, name: string): string | null => {
  const head = (raw.split('\r\n\r\n', 1)[0] ?? '').replace(/\r\n[ \t]+/g, ' ')
  return new RegExp(`^${name}: (.*)$`, 'im').exec(head)?.[1] ?? null
}

/** The two parts of a received mail, decoded: text and HTML. */
export function partsOf({ raw }: ReceivedMail): { text: string; html: string } {
  const boundary = /boundary="([^"]+)"/.exec(raw)?.[1] ?? ''
  const [, text = '', html = ''] = raw.split(`--${boundary}`)
  return { text: decodePart(text), html: decodePart(html) }
}

function decodePart(part: string): string {
  const [head = '', ...rest] = part.replace(/^\r\n/, '').split('\r\n\r\n')
  const body = rest.join('\r\n\r\n')
  if (/base64/i.test(head)) return Buffer.from(body, 'base64').toString('utf8')
  if (!/quoted-printable/i.test(head)) return body
  const bytes = body.replace(/=\r\n/g, '').replace(/=([\dA-F]{2})/g, (_all, hex: string) => `%${hex}`)
  return decodeURIComponent(bytes.replace(/%(?![\dA-F]{2})/g, '%25'))
}
