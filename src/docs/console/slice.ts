import { slice } from '../../base/slice'
import { answerConsole, consoleState } from './answer'

export const consolePages = slice({
  name: 'console',
  state: { consoleFiles: consoleState },
  earlyAnswers: answerConsole,
})
