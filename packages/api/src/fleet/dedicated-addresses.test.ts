import { afterEach, beforeEach, expect, test } from 'vitest'
import { verifyBooks } from '../audit/verify.js'
import { addReached, enteredMachine, openSale, type Sale } from '../testing/sale.js'

let sale: Sale
beforeEach(async () => void (sale = await openSale({ addresses: 3, yuan: 300 })))
afterEach(async () => {
  const verdicts = await verifyBooks(sale.app.db, sale.app.deps.now(), 'moved')
  await sale.app.close()
  expect(verdicts.flatMap(({ faults }) => faults)).toEqual([])
})

const [first, second, third] = ['10.9.0.2', '10.9.0.3', '10.9.0.4']
const stateOf = async (address: string) => {
  const [pool] = (await sale.admin.get('/ip-pools')).body.data
  const { content } = (await sale.admin.get(`/ip-pools/${pool.id}/addresses?search=${address}`)).body.data
  return content.map(({ state }: { state: string }) => state)
}
const giveBack = (address: string) => sale.admin.put(`/addresses/${address}/reservation`, { reserved: false })

test('a dedicated server’s address is no machine’s, entered before its pool or after', async () => {
  await addReached(sale, { ip: first, isSold: true })
  expect(await stateOf(first)).toEqual(['reserved'])
  expect((await giveBack(first)).body).toMatchObject({ code: 'IN_USE', message: '地址正被服务器使用' })
  await sale.buy()
  expect(await stateOf(second)).toEqual(['used'])
  await addReached(sale, { ip: '198.51.100.9' })
  const pool = { name: '池', network: '198.51.100.0/28', gateway: '198.51.100.1', dns: [] }
  expect((await sale.admin.post('/ip-pools', pool)).status).toBe(200)
  expect((await giveBack('198.51.100.9')).body.code).toBe('IN_USE')
  expect((await sale.admin.get('/ip-pools')).body.data).toContainEqual(
    expect.objectContaining({ name: '池', total: 13, reserved: 1 }),
  )
})

test('a machine’s address is no dedicated server’s, whether one is entered or moved', async () => {
  await sale.buy()
  await expect(addReached(sale, { ip: first })).rejects.toThrow('地址正被服务器使用')
  const id = await addReached(sale, { ip: second })
  const move = async (ip: string) => {
    const { body } = await sale.admin.put(`/servers/${id}`, { ...enteredMachine, groupId: sale.shop.groupId, ip })
    return body.errors?.ip ?? body.success
  }
  sale.app.deps.config = { ...sale.app.deps.config, allowedNetworks: [{ first: 0n, bits: 0 }] }
  expect(await move(first)).toBe('地址正被服务器使用')
  expect(await move(third)).toBe(true)
  expect(await stateOf(third)).toEqual(['reserved'])
  expect((await giveBack(second)).status).toBe(200)
})
