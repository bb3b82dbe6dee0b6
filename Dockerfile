# nub in a container: docker build -t nub .
#
# The test runs inside the container, next to nub, so mount the directory with your test and your input:
#
#     docker run --rm -v "$PWD:/work" nub ./test.sh input.c
#
# Add `--user "$(id -u):$(id -g)"` if the result should belong to you rather than to root.
#
# Your test needs your compiler. Derive an image that has it:
#
#     FROM nub
#     RUN apt-get update && apt-get install -y --no-install-recommends gcc libc6-dev && rm -rf /var/lib/apt/lists/*

# The version of Rust is that of rust-version in Cargo.toml; ci/docker-check compares them.
ARG RUST_VERSION=1.90
ARG DEBIAN=bookworm

FROM rust:${RUST_VERSION}-slim-${DEBIAN} AS build
WORKDIR /nub
COPY . .
RUN cargo build --release --locked --package nub \
    && cargo run --quiet --locked --package xtask -- licenses target/THIRD-PARTY-LICENSES

FROM debian:${DEBIAN}-slim
COPY --from=build /nub/target/release/nub /usr/local/bin/nub
COPY --from=build /nub/LICENSE-MIT /nub/LICENSE-APACHE /nub/target/THIRD-PARTY-LICENSES /usr/local/share/doc/nub/
WORKDIR /work
ENTRYPOINT ["nub"]
