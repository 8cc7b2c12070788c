import { Ajv2020 } from 'ajv/dist/2020'
import { parse } from 'yaml'
import { projectFileSchema } from '../../src/projects/project-file/file-schema'
import { SECTIONS } from './sections'

/** Compiled as served, by a validator that is not ours. It also checks the schema itself against its draft. */
const validate = new Ajv2020({ strict: true }).compile(JSON.parse(JSON.stringify(projectFileSchema(SECTIONS))))

/** What the schema of the project file says against a text; empty for a valid one. */
export function schemaFaults(yaml: string): string[] {
  validate(parse(yaml))
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
}
