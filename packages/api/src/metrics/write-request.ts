import protobuf from 'protobufjs/minimal.js'
import { figures, type MetricSample } from '../metric-engine.js'
import { metricName } from './remote-read.js'

/** `prometheus.WriteRequest` of remote write 1.0, by field numbers. */
export function writeRequest(samples: readonly MetricSample[]): Uint8Array {
  const writer = protobuf.Writer.create()
  for (const sample of samples)
    for (const figure of figures) {
      const value = sample[figure]
      if (value === null) continue
      const series = writer.uint32(field(1)).fork()
      const labels = [
        ['__name__', metricName],
        ['figure', figure],
        ['subject', sample.subjectId],
      ] as const
      for (const [name, text] of labels)
        series.uint32(field(1)).fork().uint32(field(1)).string(name).uint32(field(2)).string(text).ldelim()
      series.uint32(field(2)).fork().uint32(field(1, 1)).double(value).uint32(field(2, 0)).int64(sample.atMs).ldelim()
      series.ldelim()
    }
  return writer.finish()
}

const field = (number: number, wireType = 2) => (number << 3) | wireType
