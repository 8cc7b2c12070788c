import { createSocket } from 'node:dgram'

const TYPES = { A: 1, CNAME: 5, SOA: 6, TXT: 16, AAAA: 28 } as const
type RecordType = keyof typeof TYPES

/** A name server on loopback that answers from memory (RFC 1035). A name without records does not exist. */
export class DnsStandIn {
  /** By name, the values of each type. `SERVFAIL` in place of them: the server cannot answer for the name. */
  readonly names = new Map<string, Partial<Record<RecordType, readonly string[]>> | 'SERVFAIL'>()
  /** Each question that came, as `TXT _svc.quiz.example.com`. */
  readonly asked: string[] = []

  private constructor(
    private readonly socket: ReturnType<typeof createSocket>,
    /** `127.0.0.1:PORT` */
    readonly address: string,
  ) {
    socket.on('message', (question, { port, address: host }) => socket.send(this.answer(question), port, host))
  }

  static async start(): Promise<DnsStandIn> {
    const socket = createSocket('udp4')
    await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
    return new DnsStandIn(socket, `127.0.0.1:${socket.address().port}`)
  }

  close(): void {
    this.socket.close()
  }

  private answer(question: Buffer): Buffer {
    const { name, end } = readName(question)
    const code = question.readUInt16BE(end)
    const type = (Object.keys(TYPES) as RecordType[]).find((one) => TYPES[one] === code)
    this.asked.push(`${type} ${name}`)
    const held = this.names.get(name.toLowerCase())
    if (held === 'SERVFAIL') return Buffer.concat([headerOf(question, 2, 0), question.subarray(12, end + 4)])
    const own = type ? (held?.[type] ?? []).map((value) => [type, value] as const) : []
    const alias = type !== 'CNAME' ? (held?.CNAME ?? []).map((value) => ['CNAME', value] as const) : []
    const behind = alias.flatMap(([, target]) => this.behind(target, type))
    const records = [...alias, ...own].map(([kind, value]) => recordOf(Buffer.from([0xc0, 12]), kind, value))
    const all = [...records, ...behind]
    const status = held || all.length > 0 ? 0 : 3
    return Buffer.concat([headerOf(question, status, all.length), question.subarray(12, end + 4), ...all])
  }

  private behind(target: string, type: RecordType | undefined): Buffer[] {
    const held = this.names.get(target)
    const values = held && held !== 'SERVFAIL' && type ? (held[type] ?? []) : []
    return type ? values.map((value) => recordOf(nameOf(target), type, value)) : []
  }
}

const headerOf = (question: Buffer, status: number, count: number): Buffer => {
  const header = Buffer.alloc(12)
  question.copy(header, 0, 0, 2)
  header.writeUInt16BE(0x8180 | status, 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(count, 6)
  return header
}

function readName(message: Buffer): { name: string; end: number } {
  const labels: string[] = []
  let at = 12
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.'), end: at + 1 }
}

const nameOf = (name: string): Buffer =>
  Buffer.concat([...name.split('.').map((label) => lengthFirst(Buffer.from(label, 'latin1'))), Buffer.from([0])])

const lengthFirst = (bytes: Buffer): Buffer => Buffer.concat([Buffer.from([bytes.length]), bytes])

function recordOf(owner: Buffer, type: RecordType, value: string): Buffer {
  const data = dataOf(type, value)
  const head = Buffer.alloc(10)
  head.writeUInt16BE(TYPES[type], 0)
  head.writeUInt16BE(1, 2)
  head.writeUInt32BE(60, 4)
  head.writeUInt16BE(data.length, 8)
  return Buffer.concat([owner, head, data])
}

function dataOf(type: RecordType, value: string): Buffer {
  if (type === 'A') return Buffer.from(value.split('.').map(Number))
  if (type === 'AAAA') return Buffer.from(groupsOf(value).flatMap((group) => [group >> 8, group & 255]))
  if (type === 'TXT') return lengthFirst(Buffer.from(value))
  if (type === 'CNAME') return nameOf(value)
  return Buffer.concat([nameOf(value), nameOf(`hostmaster.${value}`), Buffer.alloc(20, 1)])
}

function groupsOf(address: string): number[] {
  const [head = '', tail = ''] = address.split('::')
  const read = (part: string) => (part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16)))
  const [first, last] = [read(head), read(tail)]
  return [...first, ...Array<number>(8 - first.length - last.length).fill(0), ...last]
}
