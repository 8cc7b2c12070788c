/** What the picker offers. A dropped file must be one of them too. */
export const KINDS_OF_FILE = '.csv,.tsv,.txt,.jsonl,.ndjson,.gz,.gzip,.zip,text/csv'

export const isReadable = ({ name, type }: { name: string; type: string }): boolean =>
  KINDS_OF_FILE.split(',').some((kind) => (kind.startsWith('.') ? name.toLowerCase().endsWith(kind) : type === kind))
