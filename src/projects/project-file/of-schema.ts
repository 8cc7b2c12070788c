import { type Static, type TSchema, TypeGuard } from '@sinclair/typebox'
import { label } from './fields'
import { may } from './form'
import { bool, integer, list, number, oneOf, type Read, text } from './reader'

/** The members of an object as a file leaves them out at their defaults, each read as its schema states. */
export const mayOf = <Members extends Record<string, TSchema>, Defaults extends { [Name in keyof Members]: unknown }>(
  members: Members,
  defaults: Defaults,
) =>
  Object.fromEntries(
    Object.entries(members).map(([name, schema]) => [name, may<unknown>(ofSchema(schema), defaults[name])]),
  ) as { [Name in keyof Members]: ReturnType<typeof may<Static<Members[Name]>>> }

/** Reads a value as a schema of the wire says. The reader of an optional member reads null. */
function ofSchema(schema: TSchema): Read<unknown> {
  if (TypeGuard.IsBoolean(schema)) return bool
  if (TypeGuard.IsInteger(schema)) return integer(schema.minimum ?? MIN, schema.maximum ?? MAX)
  if (TypeGuard.IsNumber(schema)) return number(schema.minimum ?? MIN, schema.maximum ?? MAX)
  if (TypeGuard.IsArray(schema)) return list(ofSchema(schema.items), schema.maxItems ?? MAX)
  if (TypeGuard.IsUnion(schema)) return ofUnion(schema.anyOf)
  if (TypeGuard.IsString(schema))
    return schema.pattern === NOT_BLANK ? label : text(schema.maxLength ?? MAX, schema.minLength)
  throw new Error(`the project file has no reader for ${JSON.stringify(schema)}`)
}

const [MIN, MAX] = [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER]
const NOT_BLANK = '\\S'

function ofUnion(schemas: TSchema[]): Read<unknown> {
  const [first, ...others] = schemas.filter((schema) => !TypeGuard.IsNull(schema))
  if (first && others.length === 0 && !TypeGuard.IsLiteral(first)) return ofSchema(first)
  return oneOf(schemas.map((schema) => String(schema.const)))
}
