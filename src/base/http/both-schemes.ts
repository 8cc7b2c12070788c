import type { ElysiaAdapter } from 'elysia/adapter'
import { BunAdapter } from 'elysia/adapter/bun'

/** Where Elysia looks for the path of a URL when a host may be short: behind `http://`. */
const FOR_HTTP = "indexOf('/',7)"
/** Behind `https://`; a host has at least one letter, so the path of an http URL is found from there too. */
const FOR_BOTH = "indexOf('/',8)"

const { composeHandler } = BunAdapter

/**
 * What a route that lets Elysia read its body has of a form with files: nothing, for no route takes one so. Elysia copies its
 * parser of such forms, 2,500 letters, into the function of each route, also where it never runs.
 */
const formData = (): string => 'c.body={}\n'

/** Elysia for Bun, which finds the path of http and of https URLs, however short the host. */
export const bothSchemes: ElysiaAdapter = {
  ...BunAdapter,
  composeHandler: { ...composeHandler, parser: { ...composeHandler.parser, formData } },
  composeGeneralHandler: {
    ...BunAdapter.composeGeneralHandler,
    createContext(app) {
      const code = BunAdapter.composeGeneralHandler.createContext(app)
      if (!code.includes(FOR_HTTP)) throw new Error('Elysia finds the path of a URL in another way')
      return code.replace(FOR_HTTP, FOR_BOTH)
    },
  },
}
