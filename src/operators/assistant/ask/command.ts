import { parseArgs } from 'node:util'
import { Type } from '@sinclair/typebox'
import { type Command, type Io, UsageError } from '../../../base/cli/command'
import { remoteHelp } from '../../../base/cli/remote'
import { stopSignal } from '../../../base/cli/storage'
import { AppError } from '../../../base/errors'
import { type ProjectApi, projectOptions, withProject } from '../../../projects/project/project-api'
import { openOwnApplication } from '../tools/own-application'
import { eventsIn } from './events'
import { AnswerPrinter } from './printer'
import { inSentence } from './refusals'

const options = { ...projectOptions, thread: { type: 'string' } } as const

const MOST_CHARACTERS = 8000
const Thread = Type.Object({ id: Type.String() }, { additionalProperties: true })
const Ended = Type.Object({}, { additionalProperties: true })

export const askCommand: Command = {
  name: 'ask',
  summary: 'ask the assistant of a project, which only reads',
  help: `
svc ask "WHY DID REVENUE FALL?" [--thread ID] [--project P] [--url URL] [--token T]
svc ask -                                the question is piped in

Asks the model of the project in a new thread and prints its answer as it is written, with each list that was read for it.
The lists are read with your rights, at the moment when they are printed. Nothing is changed. Ctrl-C ends the answer.

  --thread ID  goes on in a thread of yours; the command prints its id at the end
  --project P  slug or id; needless with one project
  --json       one object at the end: text, tools with what they read, usage
  --data DIR
${remoteHelp(13)}

Example: svc ask "Which product lost the most subscribers this month?" --project sleep-app`,
  async run(args, io) {
    const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options })
    const content = await questionOf(positionals, io)
    return withProject(io, values, async (project) => {
      if (project.ctx) openOwnApplication(project.ctx, io.program)
      try {
        const threadId = values.thread ?? (await beginThread(project))
        return await ask(project, io, { threadId, content, isJson: values.json === true })
      } catch (error) {
        throw inSentence(error)
      }
    })
  },
}

async function questionOf([text, ...more]: readonly string[], io: Io): Promise<string> {
  if (text === undefined || more.length > 0) throw new UsageError('ask takes one question, in quotes, or - for stdin')
  const question = text === '-' ? ((await io.input?.()) ?? '') : text
  if (question.trim() === '') throw new UsageError('ask takes a question, not an empty text')
  if (question.length > MOST_CHARACTERS) throw new UsageError(`a question has at most ${MOST_CHARACTERS} characters`)
  return question
}

const THREADS = ['assistant', 'threads']

/** The threads of this machine's command line are in no console, so the oldest makes room for a new one. */
async function beginThread(project: ProjectApi): Promise<string> {
  const begin = async () => (await project.call('POST', THREADS, { data: Thread, body: {} })).id
  try {
    return await begin()
  } catch (error) {
    if (!project.ctx || !(error instanceof AppError) || error.toWire().code !== 'CONFLICT') throw error
    const { items } = await project.list(THREADS, { item: Thread, limit: 1000 })
    await project.call('DELETE', [...THREADS, items.at(-1)?.id ?? ''], { data: Ended })
    return begin()
  }
}

interface Question {
  threadId: string
  content: string
  isJson: boolean
}

async function ask(project: ProjectApi, io: Io, { threadId, content, isJson }: Question): Promise<number> {
  const stop = stopSignal(io)
  const printer = new AnswerPrinter(project, io, { threadId, isJson })
  try {
    const stream = await project.send([...THREADS, threadId, 'messages'], { body: { content }, signal: stop })
    for await (const event of eventsIn(stream)) await printer.take(event)
  } catch (error) {
    if (!stop.aborted) throw error
    await project.call('POST', [...THREADS, threadId, 'stop'], { data: Ended, body: {} })
    printer.flush()
    return 1
  }
  printer.end()
  return 0
}
