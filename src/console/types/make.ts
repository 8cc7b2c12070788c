import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript'

interface Operation {
  description?: string
  responses?: Record<string, unknown>
}

/** Types of the requests and the answers. A refusal has the same shape everywhere, so refusals are left out. */
export async function makeTypes(text: string): Promise<string> {
  const document = JSON.parse(text, withoutExamples) as OpenAPI3
  for (const path of Object.values(document.paths ?? {})) {
    for (const operation of Object.values(path as Record<string, Operation>)) keepSuccess(operation)
  }
  return astToString(await openapiTS(document, { alphabetize: true }))
}

function keepSuccess(operation: Operation): void {
  delete operation.description
  const { responses } = operation
  for (const status of Object.keys(responses ?? {})) if (!status.startsWith('2')) delete responses?.[status]
}

const withoutExamples = (key: string, value: unknown): unknown =>
  key === 'example' || key === 'examples' ? undefined : value
