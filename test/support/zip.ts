/**
 * A zip file of stored entries; `declared`: what its directory says of their unpacked size; `times`: how often it lists
 * each of them.
 */
export function zip(entries: [name: string, content: string | Uint8Array][], declared?: number, times = 1): Uint8Array {
  const files: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const [name, content] of entries) {
    const bytes = Buffer.from(content as Uint8Array)
    const head = Buffer.alloc(30)
    head.writeUInt32LE(0x04034b50)
    head.writeUInt16LE(name.length, 26)
    const entry = Buffer.alloc(46)
    entry.writeUInt32LE(0x02014b50)
    entry.writeUInt32LE(bytes.length, 20)
    entry.writeUInt32LE(declared ?? bytes.length, 24)
    entry.writeUInt16LE(name.length, 28)
    entry.writeUInt32LE(offset, 42)
    files.push(head, Buffer.from(name), bytes)
    for (let n = 0; n < times; n++) directory.push(entry, Buffer.from(name))
    offset += 30 + name.length + bytes.length
  }
  const end = Buffer.alloc(22)
  const listed = Buffer.concat(directory)
  end.writeUInt32LE(0x06054b50)
  end.writeUInt16LE(entries.length * times, 10)
  end.writeUInt32LE(listed.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...files, listed, end])
}
