import { Value } from '@sinclair/typebox/value'
import { UsageError } from '../../../base/cli/command'
import { yaml } from '../../../projects/project-file/yaml'
import type { MappingChange } from '../admin'
import { MappingBody } from '../operator-wire'

/** A file of JSON or YAML with `columns`, `valueMap` and `options`. */
export async function readMappingFile(path: string): Promise<MappingChange> {
  const file = Bun.file(path)
  if (!(await file.exists())) throw new UsageError(`--mapping: there is no file ${path}`)
  const content = parse(await file.text(), path)
  if (Value.Check(MappingBody, content)) return content
  const fault = Value.Errors(MappingBody, content).First()
  throw new UsageError(`--mapping: ${path} does not fit at ${fault?.path || '/'}: ${fault?.message}`)
}

function parse(text: string, path: string): unknown {
  try {
    return yaml().parse(text) // JSON is YAML too.
  } catch {
    throw new UsageError(`--mapping: ${path} is neither JSON nor YAML`)
  }
}
