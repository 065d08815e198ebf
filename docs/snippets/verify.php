<?php

declare(strict_types=1);

const TOLERANCE = 5 * 60; // seconds

/** Takes X-Service-Timestamp, X-Service-Signature and the raw body: file_get_contents('php://input'). */
function isGenuine(string $secret, string $timestamp, string $signature, string $body, ?int $now = null): bool
{
    $sent = DateTimeImmutable::createFromFormat('Y-m-d\TH:i:s.vP', $timestamp);
    if ($sent === false || abs(($now ?? time()) - $sent->getTimestamp()) > TOLERANCE) {
        return false;
    }
    $digest = hash_hmac('sha256', $timestamp . '.' . $body, $secret);
    return hash_equals('sha256=' . $digest, $signature);
}
