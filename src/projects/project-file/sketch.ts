/** A JSON Schema (draft 2020-12) as plain JSON. */
export type Schema = Record<string, unknown>

/**
 * The schema of one value, drawn by the reader of the value: a spot with a sketch has nothing to read, and its reader
 * writes down what it accepts. So the schema of the project file cannot differ from what is read.
 */
export class Sketch {
  schema: Schema = {}
}

export const orNull = (schema: Schema): Schema => ({ anyOf: [schema, { type: 'null' }] })
