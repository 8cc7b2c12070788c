// bun test/support/console-shot.ts NAME=/p/demo/overview … : pictures and complaints of screens, while one works on them.
import { consoleStage, excessOf, goTo, takePicture, violationsOf } from './console'

const stage = await consoleStage()
try {
  for (const argument of process.argv.slice(2)) {
    const at = argument.indexOf('=')
    const [name, path] = [argument.slice(0, at), argument.slice(at + 1)]
    for (const [theme, width] of [
      ['light', 1280],
      ['dark', 390],
    ] as const) {
      const visit = await stage.open({ theme, width })
      await goTo(visit.page, path)
      const found = await violationsOf(visit.page)
      await takePicture(visit.page, `${name}-${theme}-${width}`)
      const excess = await excessOf(visit.page)
      process.stdout.write(
        `${JSON.stringify({ path, theme, width, excess, complaints: visit.complaints, found }, null, 1)}\n`,
      )
      await visit.close()
    }
  }
} finally {
  await stage.close()
}
