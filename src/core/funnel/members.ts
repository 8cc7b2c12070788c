import { isHttpsUrl } from '../text/addresses'
import { readLocalText } from './local-text'
import type { AssetUse, FunnelAction, LocalText } from './model'
import { isStorable, type Members, type Reading } from './reading'

/** The members that an object has, each read only where it was given, so that a document is kept as it was sent. */
export class Given {
  constructor(
    readonly reading: Reading,
    readonly members: Members,
    readonly path: string,
  ) {}

  static of(reading: Reading, value: unknown, path: string, known: readonly string[]): Given {
    return new Given(reading, reading.object(value, path, known), path)
  }

  at(name: string): string {
    return `${this.path}.${name}`
  }

  refuse(name: string, message: string): void {
    this.reading.refuse(this.at(name), message)
  }

  /** `{name: value}` where the member was given and is not null, else `{}`. */
  maybe<Name extends string, Value>(
    name: Name,
    read: (value: unknown, path: string) => Value,
  ): Partial<Record<Name, Value>> {
    const value = this.members[name]
    return value == null ? {} : ({ [name]: read(value, this.at(name)) } as Record<Name, Value>)
  }

  read<Value>(name: string, read: (value: unknown, path: string) => Value): Value {
    return read(this.members[name], this.at(name))
  }

  readonly local = (value: unknown, path: string): LocalText => readLocalText(this.reading, value ?? {}, path)
  readonly flag = (value: unknown, path: string): boolean => readFlag(this.reading, value, path)
  readonly action = (value: unknown, path: string): FunnelAction => readAction(this.reading, value, path)
  readonly asset = (value: unknown, path: string): AssetUse => readAsset(this.reading, value, path)

  oneOf<const Values extends readonly [string, ...string[]]>(
    values: Values,
  ): (value: unknown, path: string) => Values[number] {
    return (value, path) => this.reading.oneOf<Values[number]>(value, path, values)
  }

  whole(min: number, max: number): (value: unknown, path: string) => number {
    return (value, path) => readNumber(this.reading, value, path, { min, max, isWhole: true })
  }
}

export function readFlag(reading: Reading, value: unknown, path: string): boolean {
  if (typeof value !== 'boolean') reading.refuse(path, 'must be true or false')
  return value === true
}

interface Range {
  min: number
  max: number
  isWhole?: boolean
}

export function readNumber(reading: Reading, value: unknown, path: string, { min, max, isWhole }: Range): number {
  const isFine = typeof value === 'number' && value >= min && value <= max && (!isWhole || Number.isInteger(value))
  if (!isFine) reading.refuse(path, `must be a ${isWhole ? 'whole ' : ''}number from ${min} to ${max}`)
  return isFine ? value : min
}

const ASSET_ID = /^ast_[A-Za-z0-9]{1,60}$/

export function readAsset(reading: Reading, value: unknown, path: string): AssetUse {
  const { asset, alt } = reading.object(value, path, ['asset', 'alt'])
  return { asset: readAssetId(reading, asset, `${path}.asset`), ...readAlt(reading, alt, `${path}.alt`) }
}

export function readAssetId(reading: Reading, value: unknown, path: string): string {
  if (typeof value === 'string' && ASSET_ID.test(value)) return value
  reading.refuse(path, 'must be the id of an asset, like ast_…')
  return ''
}

export const readAlt = (reading: Reading, value: unknown, path: string): { alt?: LocalText } =>
  value == null ? {} : { alt: readLocalText(reading, value, path) }

const ACTIONS = ['next', 'to', 'back', 'open', 'skip'] as const
const MEMBERS_OF_ACTION = { next: [], back: [], skip: [], to: ['pageId'], open: ['url'] } as const

/** `{"type": "next"}`; an action without members may also be its bare name. */
export function readAction(reading: Reading, value: unknown, path: string): FunnelAction {
  const given = typeof value === 'string' ? { type: value } : value
  const members = reading.object(given, path, ['type', 'pageId', 'url'])
  const type = reading.oneOf(members.type, `${path}.type`, ACTIONS)
  const known: readonly string[] = MEMBERS_OF_ACTION[type]
  for (const name of ['pageId', 'url'])
    if (members[name] != null && type === members.type && !known.includes(name))
      reading.refuse(`${path}.${name}`, `must be absent: the action is ${type}`)
  if (type === 'to') return { type, pageId: reading.id(members.pageId, `${path}.pageId`) }
  return type === 'open' ? { type, url: readUrl(reading, members.url, `${path}.url`) } : { type }
}

const MAX_URL = 2048

/** An https address without a name or password in it. */
export function readUrl(reading: Reading, value: unknown, path: string): string {
  if (typeof value === 'string' && isUrl(value)) return value
  reading.refuse(path, `must be an https address of at most ${MAX_URL} characters, without user and password`)
  return ''
}

const isUrl = (text: string): boolean => text.length <= MAX_URL && isStorable(text) && isHttpsUrl(text)
