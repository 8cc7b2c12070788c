// bun test/support/console-shot.ts NAME=/p/demo/overview … : pictures and complaints of screens, while one works on them.
import { consoleStage, goTo } from './console'
import { faultsHere, WIDTHS } from './console-look'

process.env.SVC_TEST_SHOTS = '1'

const stage = await consoleStage()
try {
  for (const argument of process.argv.slice(2)) {
    const at = argument.indexOf('=')
    const [name, path] = [argument.slice(0, at), argument.slice(at + 1)]
    for (const theme of ['light', 'dark'] as const) {
      const visit = await stage.open({ theme, width: WIDTHS[theme] })
      await goTo(visit.page, path)
      const faults = [...(await faultsHere(visit.page, theme, name)), ...visit.complaints]
      process.stdout.write(`${JSON.stringify({ path, theme, faults }, null, 1)}\n`)
      await visit.close()
    }
  }
} finally {
  await stage.close()
}
