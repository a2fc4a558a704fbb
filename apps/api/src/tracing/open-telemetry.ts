import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import {
  type Context,
  isSpanContextValid,
  SpanKind as Kind,
  ROOT_CONTEXT,
  type Span,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Logger } from 'pino';
import { VERSION } from '../version.ts';
import type { TracingSettings } from './settings.ts';
import type { Facts, OpenSpan, SpanKind, Tracer } from './spans.ts';

/** A batch that was not taken by then is given up, milliseconds. */
const SEND_WITHIN_MS = 5_000;
/** Spans that wait; what is beyond is dropped, so that a collector that hangs costs no more memory than this. */
const MOST_WAITING = 2_048;
const LONGEST_VALUE = 200;

const kinds: Readonly<Record<SpanKind, Kind>> = {
  server: Kind.SERVER,
  client: Kind.CLIENT,
  consumer: Kind.CONSUMER,
  internal: Kind.INTERNAL,
};

/**
 * Makes spans by OpenTelemetry's own library and sends them in batches, beside all other work. Nothing of it is global: no module is
 * changed, and no context leaves this process.
 */
export function openTelemetry(
  settings: TracingSettings,
  process: string,
  log: Logger,
): { readonly tracer: Tracer; stop(): Promise<void> } {
  const exporter = new OTLPTraceExporter({
    url: settings.url,
    headers: { ...settings.headers },
    timeoutMillis: SEND_WITHIN_MS,
  });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': settings.serviceName,
      'service.version': VERSION,
      'service.instance.id': randomUUID(),
      'counterfoil.process': process,
    }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(settings.share) }),
    spanLimits: { attributeValueLengthLimit: LONGEST_VALUE },
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: tellingFaults(exporter, log),
        maxQueueSize: MOST_WAITING,
        exportTimeoutMillis: SEND_WITHIN_MS,
      }),
    ],
  });
  const maker = provider.getTracer('counterfoil', VERSION);
  const current = new AsyncLocalStorage<Context>();
  return {
    tracer: {
      begin(kind, name, facts, parent) {
        const above = parent === undefined ? (current.getStore() ?? ROOT_CONTEXT) : contextOf(parent);
        const span = maker.startSpan(name, { kind: kinds[kind], attributes: { ...facts } }, above);
        return openSpan(span, (work) => current.run(trace.setSpan(above, span), work));
      },
      isWithin: () => current.getStore() !== undefined,
    },
    stop: () => provider.shutdown(),
  };
}

function openSpan(span: Span, within: OpenSpan['within']): OpenSpan {
  return {
    tell: (facts: Facts) => void span.setAttributes({ ...facts }),
    rename: (name) => void span.updateName(name),
    fail(kind) {
      span.setAttribute('error.type', kind).setStatus({ code: SpanStatusCode.ERROR });
    },
    end: () => span.end(),
    within,
  };
}

const TRACE_PARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

/** The caller's span by W3C Trace Context; none where it is not one. */
function contextOf(traceparent: string): Context {
  const [, traceId = '', spanId = '', flags = ''] = TRACE_PARENT.exec(traceparent.trim()) ?? [];
  const traceFlags = Number.parseInt(flags, 16) & TraceFlags.SAMPLED;
  const parent = { traceId, spanId, traceFlags, isRemote: true };
  return isSpanContextValid(parent) ? trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT;
}

/** Says once that spans are not taken, and once that they are again. */
function tellingFaults(exporter: SpanExporter, log: Logger): SpanExporter {
  let isRefused = false;
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const fault = result.code === 0 ? undefined : (result.error?.message ?? 'it said no reason');
        if (fault !== undefined && !isRefused)
          log.warn({ reason: fault }, 'traces are not taken; work goes on');
        if (fault === undefined && isRefused) log.info('traces are taken again');
        isRefused = fault !== undefined;
        done(result);
      });
    },
    forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
    shutdown: () => exporter.shutdown(),
  };
}
