import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import { openApiDocument } from './openapi.js'

const document = openApiDocument()

/** The reference: `/api/openapi.json` for programs, `/docs` for people. */
export async function registerDocs(app: FastifyInstance): Promise<void> {
  app.get('/api/openapi.json', () => document)
  await app.register(async (scope) => {
    await scope.register(swagger, { mode: 'static', specification: { document } })
    await scope.register(swaggerUi, { routePrefix: '/docs', uiConfig: { validatorUrl: null } })
  })
}
